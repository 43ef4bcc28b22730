/** The medicines that we know: international non-proprietary names with other names and brands, ATC codes, and groups. */
import { nationalBrands } from './drug-brands.ts';
import { commonDrugs } from './drug-table.ts';
import { furtherDrugs } from './drug-table-body.ts';
import { nerveDrugs } from './drug-table-nerves.ts';

export interface Drug {
  readonly name: string;
  /** Empty for a product that the table does not have. */
  readonly atc: string;
  readonly groups: readonly string[];
  readonly maxDaily?: { readonly value: number; readonly unit: 'mg' | 'µg' };
}

interface DrugName {
  readonly written: string;
  readonly kind: 'substance' | 'brand' | 'brand of a combination';
}

/** Brands by ingredient. */
const brandsOf = new Map(
  nationalBrands
    .trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [ingredient = '', brands = ''] = line.split(': ');
      return [ingredient, brands.split(', ')];
    }),
);

/** The names of a medicine, the first of them its international one. */
export const drugs: readonly (Drug & { readonly names: readonly DrugName[] })[] =
  `${commonDrugs}${furtherDrugs}${nerveDrugs}`
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [names = '', atc = '', groups = '', max = ''] = line.split('|').map((cell) => cell.trim());
      const [value, unit] = max.split(' ');
      const all = names.split('=').map(nameOf);
      const known = new Set(all.map(({ written }) => written));
      const national = brandsOf.get(all[0]!.written) ?? [];
      all.push(...national.filter((brand) => !known.has(brand)).map(nameOf));
      return {
        name: all[0]!.written,
        names: all,
        atc,
        groups: groups.split(' ').filter(Boolean),
        ...(max === '' ? {} : { maxDaily: { value: Number(value), unit: unit as 'mg' | 'µg' } }),
      };
    });

function nameOf(entry: string): DrugName {
  const isCombination = entry.endsWith('+');
  const written = isCombination ? entry.slice(0, -1) : entry;
  const isBrand = /^\p{Lu}/u.test(written);
  return { written, kind: isCombination ? 'brand of a combination' : isBrand ? 'brand' : 'substance' };
}
