// The compiled engine and solver: WebAssembly with a memory that Python reads and writes. Python imports the engine as
// the module `littlego_engine`.

const PAGE = 65536; // bytes of a memory page
const MOST = 8192; // maximum number of memory pages
const LINE = 64; // bytes; each address is a multiple of this number
const FIRST = 64; // memory pages allocated at the start

/** Return the engine, loaded from a file. */
export async function loadEngine(address) {
  const memory = new WebAssembly.Memory({ initial: FIRST, maximum: MOST });
  const code = await (await fetch(address)).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  return engineOf(instance.exports, memory);
}

/** Return the functions that Python calls. exports: the exports of the compiled code. */
export function engineOf(exports, memory) {
  let top = rounded(exports.__heap_base.value);
  const free = new Map(); // size -> addresses of released arrays

  function allocate(bytes) {
    const size = rounded(Math.max(bytes, 1));
    let address = free.get(size)?.pop();
    if (address === undefined) {
      address = top;
      top += size;
      const lacking = top - memory.buffer.byteLength;
      if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE));
    }
    new Uint8Array(memory.buffer, address, size).fill(0); // compiled code may have used this memory
    return address;
  }

  // Above `top` the compiled code allocates its own arrays, and enlarges the memory if necessary.
  const answer = allocate(2 * LINE); // the answer of a call, then numba's report of a fault
  return {
    allocate,
    release(address, bytes) {
      const size = rounded(Math.max(bytes, 1));
      if (!free.has(size)) free.set(size, []);
      free.get(size).push(address);
    },
    write(address, data) {
      const view = data.getBuffer("u8");
      new Uint8Array(memory.buffer).set(view.data, address);
      view.release();
      data.destroy?.();
    },
    read: (address, bytes) => new Uint8Array(memory.buffer, address, bytes).slice(),
    call(name, address) {
      exports.reset(top);
      const status = exports[name](answer, answer + LINE, address);
      if (status) throw new Error(`${name}: the compiled code ended with status ${status}`);
      return Number(new BigInt64Array(memory.buffer, answer, 1)[0]);
    },
  };
}

const rounded = (bytes) => Math.ceil(bytes / LINE) * LINE;
