/** Identifiers that a report names only to exclude them, findings and parties, in several languages. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findIdentifiers } from '../../../../agents/tools/security/identifiers.ts';
import { findParties } from '../../../../agents/tools/security/incident-parties.ts';
import { findPentestFindings } from '../../../../agents/tools/security/pentest-findings.ts';

const documentOf = (text: string) => readDocument({ message: 0, text });

describe('excluded identifiers', () => {
  it.each([
    ['The host is exposed to CVE-2026-1111. CVE-2026-2222 was looked at but that module is not enabled.'],
    ['Gebruikt is CVE-2026-1111. Voor CVE-2026-2222 is de server *niet* vatbaar.'],
    ['Exploitée : CVE-2026-1111. Le serveur n’est pas concerné par la CVE-2026-2222.'],
    ['Wykorzystano CVE-2026-1111. Serwer nie jest podatny na CVE-2026-2222.'],
    ['La CVE-2026-1111 fue explotada; la CVE-2026-2222, citada en la prensa, no tuvo ningún papel.'],
    ['Observed: CVE-2026-1111. Not observed: CVE-2026-2222.'],
  ])('sets one of two aside: %s', (text) => {
    expect(findIdentifiers(text).map(({ id, isDenied }) => [id, isDenied === true])).toEqual([
      ['CVE-2026-1111', false],
      ['CVE-2026-2222', true],
    ]);
  });
});

describe('findings in further languages', () => {
  it.each([
    ['Raport z testu penetracyjnego', 'Lp. | Podatność | Poziom ryzyka | Zasób', 'Krytyczny', 'Niski'],
    ['Penetrationstest av portalen', 'Nr | Brist | Allvarlighetsgrad | System', 'Kritisk', 'Låg'],
    ['Relatório do teste de intrusão', 'N.º | Vulnerabilidade | Severidade | Ativo', 'Crítica', 'Baixa'],
    ['Penetratietest van het portaal', 'Nr. | Bevinding | Risico | Systeem', 'Kritiek', 'Laag'],
  ])('%s', (title, head, critical, low) => {
    const rows = [
      `| ${head} |`,
      '|---|---|---|---|',
      `| K-1 | x | ${critical} | a.example |`,
      `| K-2 | y | ${low} | b.example |`,
    ];
    expect(findPentestFindings(documentOf(`${title}\n\n${rows.join('\n')}\n`))).toMatchObject([
      { id: 'K-1', severity: 'critical', host: 'a.example' },
      { id: 'K-2', severity: 'low', host: 'b.example' },
    ]);
  });
});

describe('parties', () => {
  it.each([
    ['Le groupe suivi sous le nom de CHAT D’OR a visé la société Beaulieu SA.', 'CHAT D’OR', 'Beaulieu SA'],
    [
      'Il gruppo che indichiamo come **VOLPE BIANCA** ha agito ai danni del Comune di Borgoalto.',
      'VOLPE BIANCA',
      'Comune di Borgoalto',
    ],
    ['De groep RODE EGEL zit achter de aanval op Waterschap Lage Venen.', 'RODE EGEL', 'Waterschap Lage Venen'],
  ])('%s', (text, actor, target) => {
    expect(findParties(documentOf(text))).toMatchObject([
      { role: 'actor', name: actor },
      { role: 'target', name: target },
    ]);
  });

  it('leaves out a group that an earlier version named', () => {
    const text = 'Version 1 of this alert attributed the attack to IRON NEWT. We now track the group as COPPER SWAN.';
    expect(findParties(documentOf(text))).toMatchObject([{ role: 'actor', name: 'COPPER SWAN' }]);
  });
});
