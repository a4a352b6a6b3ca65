// Asks an engine for analyses with Sabaki's own controller, reads them with Sabaki's own parser, and prints what Sabaki would show.
// Arguments: the engine's command. Environment: SABAKI, the folder of a clone of https://github.com/SabakiHQ/Sabaki.
// Standard input: {command, positions: [{size, komi, history: [[colour, vertex], ...], colour, moves}, ...]}; an analysis that goes
// on is stopped by the first line with so many moves. Standard output: [{graph, variations, play}, ...] as JSON.
const {readFileSync} = require('fs')
const {join} = require('path')
const {ControllerStateTracker} = require('@sabaki/gtp')
const GoBoard = require('@sabaki/go-board')

async function main() {
  const {command, positions} = JSON.parse(readFileSync(0, 'utf8'))
  const parser = readFileSync(join(process.env.SABAKI, 'src/modules/analysis.js'), 'utf8')
  const {parseAnalysis} = await import(`data:text/javascript,${encodeURIComponent(parser)}`)
  // As in its enginesyncer.js.
  const format = command.startsWith('kata') ? 'float' : 'integer'
  const [program, ...args] = process.argv.slice(2)
  const tracker = ControllerStateTracker.fromController(program, args)
  const {controller} = tracker
  controller.start()
  const shown = []
  for (const {size, komi, history, colour, moves} of positions) {
    await tracker.sync({boardsize: [size, size], komi, history: history.map(args => ({name: 'play', args}))})
    const board = GoBoard.fromDimensions(size, size)
    let variations = [], play = null, stop = null
    await controller.sendCommand({name: command, args: [colour, '1']}, ({line}) => {
      if (line.startsWith('play ')) play = line.slice(5)
      if (!line.startsWith('info ')) return
      variations = parseAnalysis(line, board, format)
      if (line.split('info move').length > moves && stop == null) stop = controller.sendCommand({name: 'protocol_version'})
    })
    await stop
    if (play != null) await controller.sendCommand({name: 'undo'})
    const named = variations.map(one => ({...one, vertex: board.stringifyVertex(one.vertex)}))
    shown.push({graph: Math.max(...variations.map(({winrate}) => winrate)), variations: named, play})
  }
  await controller.stop()
  console.log(JSON.stringify(shown))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
