/** Acts that practitioners call by a short name, with their CELEX numbers. Facts from EUR-Lex. */

export interface NamedAct {
  readonly celex: string;
  /** The name that digests use. */
  readonly name: string;
}

/** Acts by every short name, including German, French, Spanish, Italian, Dutch, Polish and Czech ones; case matters. */
export const namedActs: ReadonlyMap<string, NamedAct> = new Map(
  `
12016E TFEU AEUV SFEU TFUE VWEU
12016M TEU EUV SEU TUE VEU
12016P Charter CFR GRCh GrCh CDFUE EU-Handvest Charta Charte Carta Handvest Karta Karty Listina Listiny
32016R0679 GDPR DSGVO DS-GVO RGPD AVG RODO
32016L0680 LED JI-Richtlinie
32018R1725 EUDPR
32002L0058 ePrivacy_Directive
32022L2555 NIS2 NIS_2 NIS-2 NIS-2-Richtlinie
32016L1148 NIS1
32022R2554 DORA
32022L2557 CER
32024R1689 AI_Act AIA KI-VO
32022R2065 DSA
32022R1925 DMA
32023R2854 Data_Act
32022R0868 DGA
32024R2847 CRA
32019R0881 CSA
32014R0910 eIDAS
32000L0031 ECD
32014L0065 MiFID_II
32014R0600 MiFIR
32014R0596 MAR
32023R1114 MiCA MiCAR
32015L2366 PSD2
32013R0575 CRR
32013L0036 CRD
32009L0138 Solvency_II
32012R0648 EMIR
32017R1129 Prospectus_Regulation
32011L0061 AIFMD
32009L0065 UCITS
32019R2088 SFDR
32020R0852 Taxonomy_Regulation
32022L2464 CSRD
32024L1760 CSDDD
32023R1115 EUDR
32023R0956 CBAM
32006R1907 REACH
32008R1272 CLP
32017R0745 MDR
32017R0746 IVDR
32008R0593 Rome_I Rom_I
32007R0864 Rome_II Rom_II
32012R1215 Brussels_Ia Brüssel_Ia
32015R0848 EIR
32004R0139 EUMR FKVO
32003R0001 VO_1/2003
32019L0790 DSM_Directive CDSM
32019L1937 Whistleblower_Directive
32003L0088 WTD
32005L0029 UCPD
31993L0013 UCTD
32014L0024 Procurement_Directive
32006L0112 VAT_Directive
32013R0952 UCC UZK
32022L2523 Pillar_Two_Directive
32023R0988 GPSR
32024L2853 PLD
32018R0302 Geo-blocking_Regulation
32019R1150 P2B
`
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [celex = '', ...names] = line.split(' ').map((part) => part.replaceAll('_', ' '));
      return names.map((name) => [name, { celex, name: names[0]! }] as const);
    }),
);

/** Whether a short name has another meaning (a lamp, a month, a container), so that it is an act only after an article. */
export function needsArticle(name: string): boolean {
  return /^\p{Lu}{3}$/u.test(name) || namedActs.get(name)?.celex === '12016P';
}

/** Words by which a name is found in a text, the longest first, so that "Rome II" is not read as "Rome I". */
export const actNamePattern = [...namedActs.keys()]
  .sort((one, other) => other.length - one.length || (one < other ? -1 : 1))
  .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  .join('|');
