// Read SGF texts with @sabaki/sgf, Sabaki's own reader: a JSON list of texts on standard input, the trees that it read
// on standard output, a node as {data, children}.
const { readFileSync } = require('node:fs')
const sgf = require('@sabaki/sgf')

const treeOf = (node) => ({ data: node.data, children: node.children.map(treeOf) })

const texts = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(texts.map((text) => treeOf(sgf.parse(text)[0]))))
