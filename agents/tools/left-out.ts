/** Reports facts that a test of certainty withheld: how many, and why. */
export interface LeftOut {
  readonly because: string;
  readonly facts: number;
}

/** @param doubts one per fact that was left out · @returns one entry per reason, in the order of the reasons */
export function leftOut<Doubt extends string>(
  doubts: readonly Doubt[],
  reasons: Readonly<Record<Doubt, string>>,
): readonly LeftOut[] {
  return (Object.keys(reasons) as Doubt[]).flatMap((doubt) => {
    const facts = doubts.filter((each) => each === doubt).length;
    return facts === 0 ? [] : [{ because: reasons[doubt], facts }];
  });
}

/** "3 facts were left out, because …". */
export function leftOutLines(entries: readonly LeftOut[]): string[] {
  return entries.map(({ because, facts }) =>
    facts === 1 ? `1 fact was left out, because ${because}` : `${facts} facts were left out, because ${because}`,
  );
}
