/** Opens the log of the server. */
import { LogOutput } from '../http/log-output.ts';
import { buildLogger, describeFault } from '../http/request-log.ts';
import { terminalLines } from '../http/terminal-log.ts';
import type { CommandIo } from '../program/command.ts';
import type { Config } from '../program/config.ts';

/** Time for the reader of the log to take its last lines. */
const logFlushMs = 1_000;

/** Lines go to standard error: words on a terminal, else JSON. An uncaught defect writes the last one. */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, { stderr }: Pick<CommandIo, 'stderr'>) {
  const output = new LogOutput(2);
  const destination = stderr.isTTY === true ? terminalLines(output, stderr) : output;
  const logger = buildLogger({ level: logLevel, destination });
  const endProcess = (facts: object, text: string) => {
    // An ordinary exit would wait for threads, or abort one inside the model and leave a core dump that contains
    // prompts.
    output.writeAtOnce();
    logger.fatal(facts, text);
    process.kill(process.pid, 'SIGKILL');
  };
  // Replaces the default report, which prints the error's message and a line of source.
  process.on('uncaughtException', (fault) =>
    endProcess({ fault: describeFault(fault) }, 'stopped by an internal error'),
  );
  return { logger, endProcess, flush: () => output.flush({ timeoutMs: logFlushMs }) };
}
