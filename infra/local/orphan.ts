/** npm hands signals on to the runner, but cannot when it is killed outright. */
const lookMilliseconds = 40

/** Ends this process once the npm that started it is gone: nothing is left behind, and nothing acknowledged is lost. */
export function endWithNpm(): void {
  if (!process.env['npm_lifecycle_event']) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, lookMilliseconds).unref()
}
