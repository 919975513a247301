// Runs the compiled code of the site in node: reads questions as JSON from standard input, writes the answers.
// Arguments: engine.js, engine.wasm.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [script, code] = process.argv.slice(2);
const { engineOf } = await import(pathToFileURL(script));
const memory = new WebAssembly.Memory({ initial: 64, maximum: 8192 });
const { instance } = await WebAssembly.instantiate(readFileSync(code), { env: { memory } });
const engine = engineOf(instance.exports, memory);
const { codes, program, scratch, table, positions, placements, points, starts, most } = JSON.parse(readFileSync(0, "utf8"));

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
const solved = positions.map((position) => {
  const arrays = [table, 2 * 26, 26 * 26 * 5].map((count) => engine.allocate(8 * count));
  const meter = put([0, 2 ** 50]);
  const answer = ask("solve", ...position, arrays[0], table, ...arrays.slice(1), meter, put([0]));
  [table, 2 * 26, 26 * 26 * 5].forEach((count, number) => engine.release(arrays[number], 8 * count));
  return [answer, get(meter, 1)[0]];
});
process.stdout.write(JSON.stringify({ indexed, decided, fires, solved }));
