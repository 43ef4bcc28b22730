/** `cloister completion`: prints a shell's completion script, generated from the commands' help. */
import { type Command, exitCodes, usageError } from '@cloister/server/program/command';
import { suggestion } from '@cloister/server/program/suggestion';
import { type CommandEntry, readCommandTree } from './command-tree.ts';
import { bashScript, fishScript, zshScript } from './completion-scripts.ts';

const help = `Usage: cloister completion <bash|zsh|fish>

Prints a completion script of commands, options and values:

  bash   cloister completion bash > ~/.local/share/bash-completion/completions/cloister
  zsh    cloister completion zsh > _cloister, in a folder where zsh looks for functions
  fish   cloister completion fish > ~/.config/fish/completions/cloister.fish
`;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** @param entries the commands to complete */
export function completionCommand(entries: readonly CommandEntry[]): Command {
  return {
    async run(args, io) {
      if (args.includes('--help') || args.includes('-h')) {
        io.stdout.write(help);
        return exitCodes.ok;
      }
      const [shell = '', ...more] = args;
      if (!Object.hasOwn(scripts, shell) || more.length > 0) {
        const known = Object.keys(scripts);
        throw usageError(
          `completion takes bash, zsh or fish, got ${args.join(' ') || 'nothing'}${suggestion(shell, known)}`,
          'completion',
        );
      }
      io.stdout.write(scripts[shell as keyof typeof scripts](await readCommandTree(entries)));
      return exitCodes.ok;
    },
  };
}
