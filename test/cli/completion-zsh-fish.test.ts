/** The completion scripts in the shells themselves. Skipped, with a printed reason, where a shell is not installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-shells-'));

function isInstalled(shell: string): boolean {
  const found = existsSync(`/usr/bin/${shell}`);
  if (!found) console.log(`skipped: /usr/bin/${shell} is missing: apt-get install ${shell}`);
  return found;
}

async function writeScript(shell: string, name: string): Promise<void> {
  writeFileSync(join(cwd, name), (await runCloister(`completion ${shell}`, { cwd })).stdout);
  writeFileSync(join(cwd, 'a-file.pem'), '');
}

describe.skipIf(!isInstalled('fish'))('completion in fish', () => {
  beforeAll(() => writeScript('fish', 'cloister.fish'));

  /** The suggestions, without their descriptions. */
  function complete(line: string): string[] {
    const program = 'source cloister.fish; complete -C $argv[1]';
    const output = execFileSync('fish', ['--no-config', '-c', program, line], { cwd }).toString();
    return output.split('\n').flatMap((one) => one.split('\t')[0] || []);
  }

  it('completes commands, subcommands, flags, words and files', () => {
    expect(complete('cloister ver')).toEqual(['verify', 'verify-receipt']);
    expect(complete('cloister accounts inv')).toEqual(['invoice', 'invoices']);
    expect(complete('cloister serve --admin-c')).toEqual(['--admin-ca', '--admin-cert']);
    expect(complete('cloister serve --gpu ')).toEqual(['auto', 'cuda', 'off', 'vulkan']);
    expect(complete('cloister serve --tls-cert a-f')).toEqual(['a-file.pem']);
  });
});

/** Types each line into an interactive zsh and asks it to list the choices. */
const typist = `
zmodload zsh/zpty
zpty shell "TERM=vt100 zsh -f -i"
zpty -w shell 'stty cols 200; PS1="" LISTMAX=1000; fpath=(${cwd} $fpath); autoload -Uz compinit; compinit -u -D
bindkey "^Y" list-choices; bindkey "^X" kill-whole-line; print -r -- REA\${:-}DY'
zpty -r shell output '*READY*'
for line in "$@"; do
  zpty -n -w shell "$line"$'\\x19\\x18'"print -r -- E\\\${:-}ND"$'\\n'
  zpty -r shell output '*END*'
  print -r -- "$output"
done
zpty -d shell
`;

describe.skipIf(!isInstalled('zsh'))('completion in zsh', () => {
  beforeAll(() => writeScript('zsh', '_cloister'));

  /** What zsh showed for each line, as one text of words. */
  function complete(...lines: string[]): string[] {
    const output = execFileSync('zsh', ['-f', '-c', typist, 'zsh', ...lines], { cwd, timeout: 30_000 }).toString(
      'latin1',
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes what moves a terminal's cursor
    const words = output.replace(/\u001b\[[0-9;?]*[a-zA-Z]|\0/g, ' ').replace(/\s+/g, ' ');
    return words.split(' END').slice(0, lines.length);
  }

  it('completes commands, subcommands, flags, words and files', () => {
    const [commands, subcommands, flags, words, files] = complete(
      ...['cloister ver', 'cloister accounts inv', 'cloister serve --admin-c', 'cloister serve --gpu '],
      'cloister serve --tls-cert a-f',
    );
    expect(commands).toMatch(/verify -- verify a server's evidence.* verify-receipt -- verify the receipt/);
    expect(subcommands).toMatch(/ invoice invoices /);
    expect(flags).toMatch(/ --admin-ca -- .* --admin-cert -- /);
    expect(words).toMatch(/ auto cuda off vulkan /);
    expect(files).toMatch(/ a-file\.pem/);
  });
});
