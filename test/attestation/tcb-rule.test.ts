/** Which versions of TDX count, with tests on both sides of the rule: docs/decisions/2026-11-21-tdx-tcb-rule.md. */
import { describe, expect, it } from 'vitest';
import { parseCollateral } from '../../attestation/collateral/collateral.ts';
import { parsePckPlatform } from '../../attestation/collateral/pck-extension.ts';
import { parseTcbInfo, type TcbStatus, tcbStatuses } from '../../attestation/collateral/tcb-info.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { combineTcb, moduleIdentity, moduleLevel, platformLevel } from '../../attestation/verify/tcb-level.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { buildJudged } from '../support/attestation/evidence-mutations.ts';
import { compare, looser } from '../support/attestation/oracle.ts';
import type { EvidenceChange } from '../support/attestation/simulated-evidence.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

const svn = (...versions: number[]) => Uint8Array.of(...versions, ...new Array<number>(16 - versions.length).fill(0));

/** A level that requires 5, 0, 3 of TDX; module 1 is up to date from version 4 on, as in Intel's responses of 2025. */
const levels: Pick<EvidenceChange, 'tcbInfo'> = {
  tcbInfo: (document) => {
    [5, 0, 3].forEach((version, index) => {
      document.tcbLevels[0]!.tcb.tdxtcbcomponents[index]!.svn = version;
    });
    document.tdxModuleIdentities[0]!.tcbLevels[0]!.tcb.isvsvn = 4;
  },
};

async function judge(change: EvidenceChange) {
  const evidence = await buildJudged({ ...levels, ...change });
  const { genuine, tcb, checks } = await verifyQuote(
    evidence.quote,
    evidence.collateral,
    [evidence.rootCa],
    evidence.nowMs,
  );
  const failed = checks.filter((check) => check.outcome === 'fail').map((check) => check.id);
  return { genuine, status: tcb?.status, failed, comparison: await compare(evidence) };
}

const newer = { form: { version: 5, body: '1.5' } } as const;

describe('the versions that count', () => {
  it('from TDX 1.5 on: not the first two of a level, which the module’s identity decides; dcap-qvl differs here', async () => {
    const { genuine, status, comparison } = await judge({ td: { teeTcbSvn: svn(4, 1, 3) } });
    expect([genuine, status]).toEqual([true, 'UpToDate']);
    expect(comparison).toEqual({ ours: true, theirs: false, explainedBy: [looser], wrong: undefined });
  });

  it('and the identity decides about them', async () => {
    const { failed, comparison } = await judge({ td: { teeTcbSvn: svn(3, 1, 3) } });
    expect(failed).toEqual(['tdx-module-tcb-level']);
    expect(comparison.theirs).toBe(false);
  });

  it('and the third and later ones count', async () => {
    const { failed, comparison } = await judge({ td: { teeTcbSvn: svn(9, 1, 2) } });
    expect(failed).toEqual(['platform-tcb-level']);
    expect(comparison.theirs).toBe(false);
  });

  it('for TDX 1.0: all of them, and no identity', async () => {
    const refused = await judge({ td: { teeTcbSvn: svn(4, 0, 3) } });
    expect([refused.failed, refused.comparison.theirs]).toEqual([['platform-tcb-level'], false]);
    const taken = await judge({ td: { teeTcbSvn: svn(5, 0, 3) } });
    expect([taken.genuine, taken.comparison.theirs]).toEqual([true, true]);
  });

  it('in a body of TD 1.5: those at the start and the current ones; the lower status applies', async () => {
    const grown = await judge({ ...newer, td: { teeTcbSvn: svn(4, 1, 3), teeTcbSvn2: svn(9, 1, 4) } });
    expect([grown.genuine, grown.status]).toEqual([true, 'UpToDate']);
    const shrunk = await judge({ ...newer, td: { teeTcbSvn: svn(9, 1, 3), teeTcbSvn2: svn(3, 1, 3) } });
    expect([shrunk.failed, shrunk.comparison.theirs]).toEqual([['tdx-module-tcb-level'], true]);
    const stale = await judge({
      ...newer,
      td: { teeTcbSvn: svn(4, 1, 3), teeTcbSvn2: svn(5, 1, 3) },
      tcbInfo: (document) => {
        levels.tcbInfo!(document);
        const [level] = document.tdxModuleIdentities[0]!.tcbLevels;
        const old = { ...structuredClone(level!), tcbStatus: 'OutOfDate' };
        document.tdxModuleIdentities[0]!.tcbLevels.push(old);
        level!.tcb.isvsvn = 5;
      },
    });
    expect([stale.genuine, stale.status]).toEqual([true, 'OutOfDate']);
  });
});

/** The combined status that Intel's library computes if the TDX module or the quoting enclave is out of date. */
const whereAPartIsOld: Readonly<Record<TcbStatus, TcbStatus>> = {
  UpToDate: 'OutOfDate',
  SWHardeningNeeded: 'OutOfDate',
  ConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  ConfigurationAndSWHardeningNeeded: 'OutOfDateConfigurationNeeded',
  OutOfDate: 'OutOfDate',
  OutOfDateConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  Revoked: 'Revoked',
};

describe('combined statuses', () => {
  const verdict = (status: TcbStatus) => ({ status, advisories: [`SA-${status}`], dateMs: status.length });

  it.each(tcbStatuses)("equal those of Intel's library if the platform is %s", (status) => {
    const together = (...parts: readonly TcbStatus[]) => combineTcb(verdict(status), parts.map(verdict));
    expect(together('UpToDate', 'UpToDate').status).toBe(status);
    expect(together('UpToDate', 'OutOfDate').status).toBe(whereAPartIsOld[status]);
    expect(together('OutOfDate', 'OutOfDate').status).toBe(whereAPartIsOld[status]);
    expect(together('UpToDate', 'Revoked').status).toBe('Revoked');
    const { advisories, dateMs } = together('UpToDate', 'OutOfDate');
    expect(new Set(advisories)).toEqual(new Set([`SA-${status}`, 'SA-UpToDate', 'SA-OutOfDate']));
    expect(dateMs).toBe(Math.min(status.length, 'UpToDate'.length));
  });

  it('are never better than the worst single status', () => {
    for (const one of tcbStatuses) {
      for (const other of tcbStatuses) {
        const { status } = combineTcb(verdict(one), [verdict(other)]);
        expect(status === 'UpToDate').toBe(one === 'UpToDate' && other === 'UpToDate');
        expect(status === 'Revoked').toBe(one === 'Revoked' || other === 'Revoked');
        if (/^OutOfDate/.test(one) || /^OutOfDate/.test(other)) expect(status).toMatch(/^(OutOfDate|Revoked)/);
      }
    }
  });
});

describe.skipIf(!hasVectors)(`Intel's own answer of June 2025${vectorsNote}`, () => {
  const load = () => {
    const { tcbInfo } = parseCollateral(vectorText('tdx-dcap-qvl/tdx_quote_collateral.json'));
    const { pckChainPem } = parseQuote(vectorBytes('tdx-dcap-qvl/tdx_quote'));
    const [pck] = parsePemChain(pckChainPem, 'chain').map(parseCertificate);
    return { info: parseTcbInfo(tcbInfo), platform: parsePckPlatform(pck!) };
  };

  it.each([
    [4, 1],
    [3, 3],
  ])(
    'rates TDX module %i.%i UpToDate, although every platform TCB level requires SVN 5 in the first component',
    (version, module) => {
      const { info, platform } = load();
      const versions = svn(version, module, 2);
      expect(info.levels.map(({ tdxSvns }) => tdxSvns[0])).toEqual([5, 5]);
      expect(platformLevel(info, platform, versions).status).toBe('UpToDate');
      expect(moduleLevel(moduleIdentity(info, versions)!, versions).status).toBe('UpToDate');
    },
  );

  it('has its levels in the order in which Intel’s library sorts them', () => {
    for (const file of ['tdx_quote_collateral.json', 'tdx_quote_outdated_collateral.json']) {
      const info = parseTcbInfo(parseCollateral(vectorText(`tdx-dcap-qvl/${file}`)).tcbInfo);
      const highest = { sgxSvns: new Array<number>(16).fill(255), pceSvn: 65_535 };
      const platform = { ...highest, cpuSvn: svn(), ppid: undefined, instanceId: undefined, ...info };
      expect(platformLevel(info, platform, svn(...new Array<number>(16).fill(255)))).toBe(info.levels[0]);
    }
  });
});
