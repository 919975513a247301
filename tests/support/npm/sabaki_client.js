// An engine driven as Sabaki drives it, with Sabaki's own client. It reads its actions and writes its results as JSON.

const {ControllerStateTracker} = require('@sabaki/gtp')

// Sabaki's first commands to an engine, which it sends without waiting for answers.
const GREETING = ['name', 'version', 'protocol_version', 'list_commands']

// Runs an analysis until its first line, and then stops the analysis as Sabaki does: by sending a harmless command.
async function analyze(controller, command) {
  let infos = []
  let ended
  let aborted = new Promise(resolve => (ended = resolve))
  let done = controller.sendCommand(command, ({line}) => {
    if (!line.startsWith('info ')) return
    if (infos.push(line) === 1) ended(controller.sendCommand({name: 'protocol_version'}))
  })
  let response = await Promise.race([done.then(found => found), aborted.then(() => done)])
  return {infos, error: response.error, content: response.content, after: infos.length ? (await aborted).content : null}
}

const STEPS = {
  greet: ({controller}) =>
    Promise.all(GREETING.map(name => controller.sendCommand({name}).then(({content}) => content))),
  sync: ({tracker}, state) => tracker.sync(state).then(() => null, error => error.message),
  send: ({tracker}, command) => tracker.queueCommand(command),
  analyze: ({controller}, command) => analyze(controller, command),
  state: ({tracker}) => JSON.parse(JSON.stringify(tracker.state)), // a copy, because later commands change the state
  stop: async ({controller, tracker}) => {
    let stopped = new Promise(resolve => controller.once('stopped', resolve))
    await controller.stop()
    return (await stopped).signal
  }
}

async function main({engine, cwd, steps}) {
  let tracker = ControllerStateTracker.fromController(engine[0], engine.slice(1), {cwd})
  let {controller} = tracker
  let errors = []
  controller.on('stderr', ({content}) => errors.push(content))
  controller.start()
  let results = []
  for (let [step, argument] of steps) {
    let sent = []
    let note = ({command}) => sent.push([command.name, ...(command.args || [])].join(' '))
    controller.on('command-sent', note)
    let result = await STEPS[step]({controller, tracker}, argument)
    controller.removeListener('command-sent', note)
    results.push({result: result === undefined ? null : result, sent})
  }
  process.stdout.write(JSON.stringify({results, errors}))
}

let input = ''
process.stdin.on('data', data => (input += data))
process.stdin.on('end', () =>
  main(JSON.parse(input)).catch(error => {
    console.error(error)
    process.exit(1)
  })
)
