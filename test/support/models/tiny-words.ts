/** Words for vocabularies in tests. */
export const tinyWords: readonly string[] =
  `the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one
you were all her she there would their we him been has when who will no more if out so up said what its about than into
them can only other time new some could these two may first then do any like my now over such our man me even most made
after also did many off before must well back through years where much your way down should because long each just state
those people too good very make world still see men work here between both life being under never day same another know
while last might us great old year come since against go came right used take three small place hello token embedding
vector model privacy question answer search window table river mountain yellow running walked untold reader prefix
action nation kindly quickly father mother water paper light house straße café naïve münchen résumé привет мир слово`.split(
    /\s+/,
  );
