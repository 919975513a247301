// Parse ES modules as `node --check` does, all in one process: from {name: source} to {name: error}.

const vm = require("node:vm");

let told = "";
process.stdin.on("data", (part) => (told += part));
process.stdin.on("end", () => {
  const wrong = {};
  for (const [name, source] of Object.entries(JSON.parse(told))) {
    try {
      new vm.SourceTextModule(source, { identifier: name });
    } catch (error) {
      wrong[name] = error.stack.split("\n\n")[0];
    }
  }
  process.stdout.write(JSON.stringify(wrong));
});
