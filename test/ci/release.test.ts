import { describe, expect, it } from 'vitest';
import { dateSection, notesOf, requireHigher } from '../../.ci/release.ts';

const changelog = `# Changelog

## [0.2.0] - unreleased

### Added

- Pods.

## [0.1.0] - 2026-11-21

- Chat.

[0.2.0]: https://example.com/0.2.0
`;

describe('a release', () => {
  it('takes its notes from its section of the change log', () => {
    expect(notesOf(changelog, '0.2.0')).toBe('### Added\n\n- Pods.');
    expect(notesOf(changelog, '0.1.0')).toBe('- Chat.');
    expect(notesOf(changelog, '0.3.0')).toBe('');
  });

  it('dates its section, and is refused without an unreleased section', () => {
    expect(dateSection(changelog, '0.2.0', '2026-12-01')).toContain('## [0.2.0] - 2026-12-01\n\n### Added');
    expect(() => dateSection(changelog, '0.1.0', '2026-12-01')).toThrow('no section "## [0.1.0] - unreleased"');
  });

  it.each([
    ['0.2.0', '0.1.9'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
  ])('accepts %s after %s', (version, current) => {
    expect(() => requireHigher(version, current)).not.toThrow();
  });

  it.each([
    ['0.1.0', '0.1.0'],
    ['0.1.9', '0.2.0'],
    ['v0.2.0', '0.1.0'],
    ['0.2.0-rc.1', '0.1.0'],
  ])('refuses %s after %s', (version, current) => {
    expect(() => requireHigher(version, current)).toThrow();
  });
});
