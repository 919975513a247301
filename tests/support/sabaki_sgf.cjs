// Read SGF texts with @sabaki/sgf, Sabaki's own reader: a JSON list of texts on standard input, what it read on
// standard output. The argument is the folder whose node_modules holds the package.
const { createRequire } = require('node:module')
const { readFileSync } = require('node:fs')
const { resolve } = require('node:path')

const sgf = createRequire(resolve(process.argv[2], 'package.json'))('@sabaki/sgf')

const treeOf = (node) => ({ data: node.data, children: node.children.map(treeOf) })

const texts = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(texts.map((text) => treeOf(sgf.parse(text)[0]))))
