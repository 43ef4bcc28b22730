/** Abbreviations after which a capital or a number usually continues the sentence. */

/** @param word without its point, in any case · @returns whether a point after it does not end a sentence; includes initials */
export function isAbbreviation(word: string): boolean {
  return abbreviations.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word);
}

const abbreviations = new Set(
  (
    'no nos cl cls art arts para paras sec sect fig vol ed eds cf vs etc al approx e.g i.e mr mrs ms dr prof st inc ltd co corp llc ' +
    'plc s.a s.a.s s.a.u s.a.r.l s.l s.l.u s.p.a b.v n.v l.p u.s u.k v ziff az sra mme dhr mevr núm s.r.l s.r.o a.s gmbh bhd jan feb mar apr jun jul aug sep sept oct nov dec nr abs bzw z.b ca lit ust-id č čl odst písm tj tzv např ' +
    'kl inkl exkl ekskl godz p p.a p.o b.i.d t.i.d q.i.d q.d q.h.s q.a.m p.r.n i.v i.m s.c z.n v.a y.o tbl tgl temp'
  ).split(' '),
);
