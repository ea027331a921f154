import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Ends the process that `pidFile` names, if it still runs and its command line has `mark` in it: an old pid
 * may long belong to somebody else's process.
 */
export async function endLeftover(pidFile: string, mark: string): Promise<void> {
  const pid = readPid(pidFile)
  const isOurs = () => pid !== undefined && commandLine(pid).includes(mark)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (pid === undefined || !isOurs()) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (let waited = 0; waited < 3000 && isOurs(); waited += 10) await sleep(10)
  }
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** '' when no such process runs (a zombie has none either). */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
