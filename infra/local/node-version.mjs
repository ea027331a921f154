// Loaded before anything else, and as plain JavaScript: an older Node cannot even read the rest.
const needed = 24
if (Number.parseInt(process.versions.node) < needed) {
  process.stderr.write(`Posthaste needs Node ${needed} or newer; this is ${process.version}.\n`)
  process.exit(1)
}
