/**
 * Acts that are often still cited although they were repealed, replaced or declared invalid, each with the repealing article or
 * judgment. The list is not complete: an act that is not listed may be out of force too.
 */

export interface ReplacedAct {
  readonly celex: string;
  readonly what: 'repealed' | 'annulled or invalid';
  /** ISO date of the change, possibly in the future. */
  readonly from: string;
  /** CELEX number of the replacing act. */
  readonly replacedBy?: string;
  readonly source: string;
}

export const replacedActs: ReadonlyMap<string, ReplacedAct> = new Map(
  [
    repealed('31995L0046', '2018-05-25', '32016R0679', 'Article 94(1) of Regulation (EU) 2016/679'),
    repealed('32001R0045', '2018-12-11', '32018R1725', 'Article 99 of Regulation (EU) 2018/1725'),
    repealed('32016L1148', '2024-10-18', '32022L2555', 'Article 44 of Directive (EU) 2022/2555'),
    repealed('32008L0114', '2024-10-18', '32022L2557', 'Article 27 of Directive (EU) 2022/2557'),
    repealed('31999L0093', '2016-07-01', '32014R0910', 'Article 50 of Regulation (EU) No 910/2014'),
    repealed('31997L0066', '2003-10-31', '32002L0058', 'Article 19 of Directive 2002/58/EC'),
    repealed('32013R0526', '2019-06-27', '32019R0881', 'Article 68 of Regulation (EU) 2019/881'),
    repealed('32007L0064', '2018-01-13', '32015L2366', 'Article 114 of Directive (EU) 2015/2366'),
    repealed('32004L0039', '2018-01-03', '32014L0065', 'Article 94 of Directive 2014/65/EU, as amended'),
    repealed('32003L0006', '2016-07-03', '32014R0596', 'Article 37 of Regulation (EU) No 596/2014'),
    repealed('32003L0071', '2019-07-21', '32017R1129', 'Article 46 of Regulation (EU) 2017/1129'),
    repealed('32006L0048', '2014-01-01', '32013L0036', 'Article 163 of Directive 2013/36/EU'),
    repealed('32005L0060', '2017-06-26', '32015L0849', 'Article 66 of Directive (EU) 2015/849'),
    repealed('32004L0018', '2016-04-18', '32014L0024', 'Article 91 of Directive 2014/24/EU'),
    repealed('32004L0017', '2016-04-18', '32014L0025', 'Article 107 of Directive 2014/25/EU'),
    repealed('32001R0044', '2015-01-10', '32012R1215', 'Article 80 of Regulation (EU) No 1215/2012'),
    repealed('32000R1346', '2017-06-26', '32015R0848', 'Article 91 of Regulation (EU) 2015/848'),
    repealed('32003R2201', '2022-08-01', '32019R1111', 'Article 104 of Regulation (EU) 2019/1111'),
    repealed('32007R1393', '2022-07-01', '32020R1784', 'Article 36 of Regulation (EU) 2020/1784'),
    repealed('32001R1206', '2022-07-01', '32020R1783', 'Article 34 of Regulation (EU) 2020/1783'),
    repealed('31989R4064', '2004-05-01', '32004R0139', 'Article 25 of Regulation (EC) No 139/2004'),
    repealed('31993L0104', '2004-08-02', '32003L0088', 'Articles 27 and 28 of Directive 2003/88/EC'),
    repealed('32009R0207', '2017-10-01', '32017R1001', 'Article 211 of Regulation (EU) 2017/1001'),
    repealed('32008L0095', '2019-01-15', '32015L2436', 'Article 55 of Directive (EU) 2015/2436'),
    repealed('31992R2913', '2016-05-01', '32013R0952', 'Articles 286 and 288 of Regulation (EU) No 952/2013'),
    repealed('31977L0388', '2007-01-01', '32006L0112', 'Articles 411 and 413 of Directive 2006/112/EC'),
    repealed('32001L0095', '2024-12-13', '32023R0988', 'Article 50 of Regulation (EU) 2023/988'),
    repealed('31997L0007', '2014-06-13', '32011L0083', 'Article 31 of Directive 2011/83/EU'),
    repealed('31985L0577', '2014-06-13', '32011L0083', 'Article 31 of Directive 2011/83/EU'),
    repealed('31999L0044', '2022-01-01', '32019L0771', 'Article 23 of Directive (EU) 2019/771'),
    repealed('31993L0042', '2021-05-26', '32017R0745', 'Article 122 of Regulation (EU) 2017/745'),
    repealed('31998L0079', '2022-05-26', '32017R0746', 'Article 112 of Regulation (EU) 2017/746'),
    repealed('31967L0548', '2015-06-01', '32008R1272', 'Article 60 of Regulation (EC) No 1272/2008'),
    repealed('32006L0042', '2027-01-20', '32023R1230', 'Article 51 of Regulation (EU) 2023/1230, as corrected'),
    repealed('31985L0374', '2026-12-09', '32024L2853', 'Article 21 of Directive (EU) 2024/2853'),
    invalid('32006L0024', '2014-04-08', 'Joined Cases C-293/12 and C-594/12, Digital Rights Ireland, EU:C:2014:238'),
    invalid('32000D0520', '2015-10-06', 'Case C-362/14, Schrems, EU:C:2015:650'),
    invalid('32016D1250', '2020-07-16', 'Case C-311/18, Facebook Ireland and Schrems, EU:C:2020:559'),
  ].map((act) => [act.celex, act]),
);

function repealed(celex: string, from: string, replacedBy: string, source: string): ReplacedAct {
  return { celex, what: 'repealed', from, replacedBy, source };
}

function invalid(celex: string, from: string, source: string): ReplacedAct {
  return { celex, what: 'annulled or invalid', from, source };
}
