/** Leaves out facts that a test of certainty doubts, and reports how many and why. */

export interface Certain<Fact, Doubt extends string> {
  readonly facts: readonly Fact[];
  /** One per fact that was left out. */
  readonly doubts: readonly Doubt[];
}

export function withhold<Fact, Doubt extends string>(
  found: readonly Fact[],
  doubtOf: (fact: Fact, index: number) => Doubt | undefined,
): Certain<Fact, Doubt> {
  const facts: Fact[] = [];
  const doubts: Doubt[] = [];
  for (const [index, fact] of found.entries()) {
    const doubt = doubtOf(fact, index);
    if (doubt === undefined) facts.push(fact);
    else doubts.push(doubt);
  }
  return { facts, doubts };
}

/** Gathers the doubts of several lists: `keep` returns the facts of one. */
export function doubtCollector<Doubt extends string>() {
  const doubts: Doubt[] = [];
  const keep = <Fact>(certain: Certain<Fact, Doubt>): readonly Fact[] => {
    for (const doubt of certain.doubts) doubts.push(doubt);
    return certain.facts;
  };
  return { doubts, keep };
}

/** Not an interface, because types of JSON have an index signature. */
export type LeftOut = { readonly because: string; readonly facts: number };

/** @param doubts one per fact that was left out · @returns one entry per reason, in the order of the reasons */
export function leftOut<Doubt extends string>(
  doubts: readonly Doubt[],
  reasons: Readonly<Record<Doubt, string>>,
): readonly LeftOut[] {
  const counts = Map.groupBy(doubts, (doubt) => doubt);
  return (Object.keys(reasons) as Doubt[]).flatMap((doubt) => {
    const facts = counts.get(doubt)?.length ?? 0;
    return facts === 0 ? [] : [{ because: reasons[doubt], facts }];
  });
}

/** "3 facts were left out, because …". */
export function leftOutLines(entries: readonly LeftOut[]): string[] {
  return entries.map(({ because, facts }) =>
    facts === 1 ? `1 fact was left out, because ${because}` : `${facts} facts were left out, because ${because}`,
  );
}
