// What is raced. One measurement counts `per` ops or steps; the losses of the first `steps` agree
// within `tolerance` of the peer's. `environments` are those in which a side is at its best.
const PASSIVE = { libtorch: { OMP_WAIT_POLICY: "passive" } };

export const TASKS = [
  { name: "add", per: 1000, steps: 1, tolerance: 0 },
  { name: "add_recorded", per: 1000, steps: 1, tolerance: 0 },
  { name: "add_and_back", per: 1000, steps: 1, tolerance: 0 },
  { name: "mlp_sgd", per: 1, steps: 10, tolerance: 1e-5, environments: PASSIVE },
  { name: "mlp_adam", per: 1, steps: 10, tolerance: 1e-4, environments: PASSIVE },
  { name: "encoder_adam", per: 1, steps: 10, tolerance: 1e-4 },
  { name: "lenet_sgd", per: 1, steps: 10, tolerance: 1e-5 },
];
