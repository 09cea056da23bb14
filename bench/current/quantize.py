"""Quantizes exported networks to bytes as onnxruntime's tools do for their users.

QUANTIZED maps a name to (the network of networks.py, how).
"""

import onnx.reference  # before onnxruntime, whose ops hide some of onnx's from it in some builds


def _reader(inputs):
    from onnxruntime.quantization import CalibrationDataReader

    class Once(CalibrationDataReader):
        def __init__(self):
            self.rows = iter([inputs])

        def get_next(self):
            return next(self.rows, None)

    return Once()


def _static(model, target, inputs):
    """QuantizeLinear and DequantizeLinear around each product; a scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_static

    quantize_static(model, target, _reader(inputs), per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)


def _dynamic(model, target, _inputs):
    """Weights of products as bytes; activations are quantized in the run."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(model, target, op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8,
                     extra_options={"MatMulConstBOnly": True})


QUANTIZED = {
    "resnet50_int8": ("resnet50", _static),
    "mobilenet_v2_int8": ("mobilenet_v2", _static),
    "yolov8n_shape_320_int8": ("yolov8n_shape_320", _static),
    "bert_base_64_int8": ("bert_base_64", _dynamic),
    "distilbert_64_int8": ("distilbert_64", _dynamic),
    "vit_b_16_int8": ("vit_b_16", _dynamic),
}


def quantize(name, source, unfinished):
    """Writes QUANTIZED[name] of the model in folder `source`, calibrated with that folder's inputs."""
    import onnx
    from onnxruntime.quantization.shape_inference import quant_pre_process

    model = onnx.load(str(source / "model.onnx"), load_external_data=False)
    inputs = {}
    for i, declared in enumerate(model.graph.input):
        data = (source / "test_data_set_0" / f"input_{i}.pb").read_bytes()
        inputs[declared.name] = onnx.numpy_helper.to_array(onnx.TensorProto.FromString(data))
    prepared = unfinished.with_suffix(".prepared")
    quant_pre_process(str(source / "model.onnx"), str(prepared), skip_symbolic_shape=True)
    QUANTIZED[name][1](str(prepared), str(unfinished), inputs)
    prepared.unlink()
