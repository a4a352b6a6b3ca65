// Takes an engine from position to position with Sabaki's own controller, and prints what it answers there, as JSON.
// Arguments: the engine's command. Standard input: [{size, komi, history: [[colour, vertex], ...], colour}, ...].
const {ControllerStateTracker} = require('@sabaki/gtp')

async function main() {
  const positions = JSON.parse(require('fs').readFileSync(0, 'utf8'))
  const [command, ...args] = process.argv.slice(2)
  const tracker = ControllerStateTracker.fromController(command, args)
  const {controller} = tracker
  const sent = []
  controller.on('command-sent', ({command}) => sent.push(command.name))
  controller.start()
  const first = ['name', 'version', 'protocol_version', 'list_commands'].map(name => controller.sendCommand({name}))
  const begun = (await Promise.all(first)).map(({content}) => content)
  const found = []
  for (const {size, komi, history, colour} of positions) {
    await tracker.sync({boardsize: [size, size], komi, history: history.map(args => ({name: 'play', args}))})
    const board = await controller.sendCommand({name: 'showboard'})
    const move = await controller.sendCommand({name: 'genmove', args: [colour]})
    found.push({board: board.content, move: move.error ? null : move.content})
  }
  let info = []
  if (begun[3].includes('lz-analyze')) {
    await tracker.sync({boardsize: [3, 3], komi: 1.5, history: []})
    let stop
    const analysis = controller.sendCommand({name: 'kata-analyze', args: ['B', '5']}, ({line}) => {
      if (!line.startsWith('info')) return
      info.push(line)
      if (stop == null) stop = controller.sendCommand({name: 'protocol_version'})
    })
    await analysis
    info.push((await stop).content)
  }
  await controller.stop()
  console.log(JSON.stringify({begun, found, info, sent}))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
