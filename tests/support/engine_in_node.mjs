// Runs the compiled code of the site in node: reads questions as JSON from standard input, writes the answers.
// Arguments: engine.js, engine.wasm.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, code] = process.argv.slice(2);
const { engineOf } = await import(pathToFileURL(script));
const memory = new WebAssembly.Memory({ initial: 64, maximum: 8192 });
const { instance } = await WebAssembly.instantiate(readFileSync(code), { env: { memory } });
const engine = engineOf(instance.exports, memory);
const questions = JSON.parse(readFileSync(0, "utf8"));
const { codes, program, scratch, patterns, table, positions, placements, points, starts, most } = questions;

const bytesOf = (numbers) => new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer);
const put = (numbers) => {
  const bytes = bytesOf(numbers);
  const address = engine.allocate(bytes.length);
  engine.write(address, { getBuffer: () => ({ data: bytes, release() {} }) });
  return address;
};
const get = (address, count) => Array.from(new BigInt64Array(engine.read(address, 8 * count).buffer), Number);
const ask = (name, ...numbers) => engine.call(name, put(numbers));

const [rows, moves, buckets] = [put(placements), put(points), engine.allocate(8 * most)];
const indexed = get(buckets, starts + ask("index", rows, points.length, moves, buckets));
const [asked, compiled, room] = [put(codes), put(program), engine.allocate(8 * scratch)];
const answers = engine.allocate(16 * codes.length);
ask("decide", asked, codes.length, compiled, room, answers);
const decided = get(answers, 2 * codes.length);
ask("fires", asked, codes.length, compiled, room, answers);
const fires = get(answers, codes.length);
const legal = engine.allocate(8 * codes.length);
ask("legal", asked, codes.length, legal);
const [bytes, placed] = [patterns * codes.length, patterns * 8 * 256];
const [roles, places] = [engine.allocate(bytes), engine.allocate(placed)];
ask("reasons", asked, codes.length, compiled, room, answers, roles, places);
const reasons = get(answers, 2 * codes.length);
const base64 = (address, bytes) => Buffer.from(engine.read(address, bytes)).toString("base64");
const solved = positions.map((position) => {
  const arrays = [table, 2 * 26, 26 * 26 * 5].map((count) => engine.allocate(8 * count));
  const meter = put([0, 2 ** 50]);
  const answer = ask("solve", ...position, arrays[0], table, ...arrays.slice(1), meter, put([0]));
  [table, 2 * 26, 26 * 26 * 5].forEach((count, number) => engine.release(arrays[number], 8 * count));
  return [answer, get(meter, 1)[0]];
});
const found = { indexed, decided, fires, solved, reasons, legal: get(legal, codes.length) };
process.stdout.write(JSON.stringify({ ...found, roles: base64(roles, bytes), placed: base64(places, placed) }));
