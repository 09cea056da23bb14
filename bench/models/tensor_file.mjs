// ONNX's TensorProto in .pb files, as its backend tests store tensors: { name, dtype, shape, data },
// the data a typed array. Numbers only; anything else is an error that names the file.
import { readFileSync, writeFileSync } from "node:fs";

// By TensorProto.DataType. `field` is the field that holds elements where raw_data does not.
const TYPES = [
  { number: 1, dtype: "float32", array: Float32Array, field: 4 },
  { number: 2, dtype: "uint8", array: Uint8Array, field: 5 },
  { number: 3, dtype: "int8", array: Int8Array, field: 5 },
  { number: 4, dtype: "uint16", array: Uint16Array, field: 5 },
  { number: 5, dtype: "int16", array: Int16Array, field: 5 },
  { number: 6, dtype: "int32", array: Int32Array, field: 5 },
  { number: 7, dtype: "int64", array: BigInt64Array, field: 7 },
  { number: 9, dtype: "bool", array: Uint8Array, field: 5 },
  { number: 11, dtype: "float64", array: Float64Array, field: 10 },
  { number: 12, dtype: "uint32", array: Uint32Array, field: 11 },
  { number: 13, dtype: "uint64", array: BigUint64Array, field: 11 },
];
const FIELD = { dims: 1, dataType: 2, name: 8, raw: 9 };
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

export function arrayType(dtype) {
  const type = TYPES.find((row) => row.dtype === dtype);
  if (!type) throw new Error(`tensors of ${dtype} are not read here`);
  return type.array;
}

function varint(bytes, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [BigInt.asIntN(64, value), at];
  }
}

// Yields [field, wire type, value]: a bigint, or bytes.
function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    let key, value;
    [key, at] = varint(bytes, at);
    const wire = Number(key & 7n);
    if (wire === WIRE.varint) {
      [value, at] = varint(bytes, at);
    } else {
      let size = wire === WIRE.fixed64 ? 8n : 4n;
      if (wire === WIRE.bytes) [size, at] = varint(bytes, at);
      value = bytes.subarray(at, at + Number(size));
      at += Number(size);
    }
    yield [Number(key >> 3n), wire, value];
  }
}

function unpackedVarints(bytes) {
  const values = [];
  for (let at = 0, value; at < bytes.length; values.push(value)) [value, at] = varint(bytes, at);
  return values;
}

function arrayOfBytes(type, pieces) {
  const bytes = Buffer.concat(pieces);  // a copy, so that it is aligned
  const aligned = new Uint8Array(bytes).buffer;
  return new type.array(aligned);
}

function elements(type, raw, typed) {
  if (raw) return arrayOfBytes(type, [raw]);
  const isFloat = type.field === 4 || type.field === 10;
  if (isFloat) return arrayOfBytes(type, typed.map(([, value]) => value));
  const values = typed.flatMap(([wire, value]) =>
    wire === WIRE.bytes ? unpackedVarints(value) : [value]);
  const isBig = type.array.BYTES_PER_ELEMENT === 8;
  return type.array.from(values, (value) => (isBig ? value : Number(value)));
}

export function readTensor(file) {
  const shape = [];
  const typed = new Map();
  let number = 0, name = "", raw = null;
  for (const [field, wire, value] of fields(readFileSync(file))) {
    if (field === FIELD.dims) {
      shape.push(...(wire === WIRE.bytes ? unpackedVarints(value) : [value]).map(Number));
    } else if (field === FIELD.dataType) number = Number(value);
    else if (field === FIELD.name) name = value.toString();
    else if (field === FIELD.raw) raw = value;
    else typed.set(field, [...(typed.get(field) ?? []), [wire, value]]);
  }
  const type = TYPES.find((row) => row.number === number);
  if (!type) throw new Error(`${file}: tensors of ONNX's type ${number} are not read here`);
  const data = elements(type, raw, typed.get(type.field) ?? []);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (data.length !== count) throw new Error(`${file}: holds ${data.length} of ${count} elements`);
  return { name, dtype: type.dtype, shape, data };
}

function encodedVarint(value) {
  const bytes = [];
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
}

function encodedField(field, wire, value) {
  return Buffer.concat([encodedVarint((field << 3) | wire), value]);
}

function encodedBytes(field, bytes) {
  return encodedField(field, WIRE.bytes, Buffer.concat([encodedVarint(bytes.length), bytes]));
}

export function writeTensor(file, { name, dtype, shape, data }) {
  const type = TYPES.find((row) => row.dtype === dtype);
  if (!type) throw new Error(`${file}: tensors of ${dtype} are not written here`);
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  writeFileSync(file, Buffer.concat([
    ...shape.map((extent) => encodedField(FIELD.dims, WIRE.varint, encodedVarint(extent))),
    encodedField(FIELD.dataType, WIRE.varint, encodedVarint(type.number)),
    encodedBytes(FIELD.name, Buffer.from(name)),
    encodedBytes(FIELD.raw, raw),
  ]));
}
