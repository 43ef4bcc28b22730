/** The words that name the limits of a seller's liability, in English, German, French, Spanish and Dutch. */
import { cueReader } from './cues.ts';

export type LimitScope = 'general' | 'fundamental' | 'tax' | 'environmental' | 'specific-indemnity';
export type LimitKind = 'cap' | 'basket' | 'de-minimis' | 'survival';
export type LimitCue =
  | LimitKind
  | Exclude<LimitScope, 'general'>
  | 'threshold'
  | 'other'
  | 'subject'
  | 'time'
  | 'up-to'
  | 'aside';

const scopes: ReadonlySet<string> = new Set(['fundamental', 'tax', 'environmental', 'specific-indemnity']);

export function isLimitScope(label: string): boolean {
  return scopes.has(label);
}

export const limitCues = cueReader<LimitCue>({
  'up-to': `up to; limited to; not exceeding; at most; bis zu; maximal; höchstens; bis maximal; jusqu'à; jusqu'au; à hauteur de; dans la limite; hasta; como máximo; tot maximaal; tot een maximum; ten hoogste; tot een bedrag`,
  subject: `warranty; warranties; warrantor*; representation*; indemni*; garantie*; garantieanspr*; garantieverletzung*; gewährleist*; freistell*; garantía*; manifestaciones; garant; garants; garantiegever*; garanties; déclarations; vrijwaring*; claim; claims; losses; haftung*; haftungs*; liability; responsabilité; responsabilidad; aansprakelijk*; ansprüche; réclamation*; reclamaci*; vordering*`,
  'de-minimis': `reclamaciones individuales; réclamations individuelles; individuele|afzonderlijke vorderingen|claims; individual claims|losses; de minimis; no loss|losses|claim|claims ~3 less|below|under|smaller; nothing under|below; claims|losses under|below|of; loss|losses ~2 less than; disregard*; kein ~2 schaden|anspruch ~3 unter|weniger; ansprüche|schäden unter; nichts unter; réclamations|préjudices inférieur*; aucune réclamation ~3 inférieure; reclamaciones inferiores; ninguna reclamación ~3 inferior; vorderingen|claims onder|beneden; individual claim*; single claim*; each ~2 claim; any ~2 claim; such ~1 claim; that claim; per claim; relevant claim; individual loss*; single loss*; each individual item; individual item*; einzelanspr*; einzelnen anspr*; einzelner anspr*; einzelne anspr*; einzelfall*; einzelschaden*; einzelbetrag; einzelne|einzelner|einzelnen ~2 anspruch|garantieanspruch|schaden|fall; bagatell*; réclamation individuelle|unitaire; réclamation ~3 isolément; chaque réclamation; par réclamation; préjudice ~1 individuel|unitaire; seuil individuel|unitaire; reclamación individual; cada reclamación; individualmente; por reclamación; mínimo individual; afzonderlijke|individuele|iedere|elke ~1 vordering|claim|inbreuk; per vordering|claim; drempel per`,
  basket: `el conjunto; la suma; l'ensemble; le cumul; deren summe; in summe; het totaal; taken together; basket; deductible; tipping; all ~3 claims; aggregate ~4 claims; claims ~4 aggregate; total ~4 claims; claims together; claims when aggregated; aggregate ~4 losses; losses ~4 aggregate; aggregate ~3 amount ~3 claims|losses; combined claims; freibetrag*; freigrenze*; gesamtfreigrenze; gesamtfreibetrag; summe ~3 ansprüche|garantieansprüche|aller; ansprüche ~4 gesamt|insgesamt|summe; gesamtbetrag; schwellenwert*; franchise; seuil ~1 déclenchement|global; seuil; montant cumulé; montant ~1 total|global des; cumul des|global; ensemble des réclamations; umbral*; franquicia; conjunto ~3 reclamaciones; suma ~3 reclamaciones; total ~3 reclamaciones; agregad*; drempel*; drempelbedrag; gezamenlijk* ~3 vorderingen|claims|bedrag; totaal ~3 vorderingen|claims; totale bedrag`,
  threshold: `exceed*; in excess of; unless; more than; übersteig*; überschreit*; mindestens; excède*; dépass*; supérieur*; inférieur*; exced*; super*; inferior*; overschrijd*; overstijg*; lager dan; hoger dan; less than; below`,
  cap: `cap; liability cap; capped; maximum ~3 liability; aggregate ~3 liability; total ~4 liability; liability ~12 limited; liability ~12 exceed; maximum liability; overall liability; maximum aggregate; maximum amount; haftungshöchst*; haftungsobergrenze*; höchstbetrag*; höchsthaftung; gesamthaftung*; höchstgrenze*; haftungscap; haftung; haftung ~12 begrenzt|beschränkt; haftet ~8 maximal|höchstens|maximum; haftungsbegrenzung; obergrenze; plafond*; plafonné*; responsabilité ~12 limitée|excéder|plafonnée; montant maximum|maximal; límite máximo|global|total; responsabilidad máxima; responsabilidad ~12 limitada|exceder|excederá|superar|superará|máxima; importe máximo; tope; limite máximo; aansprakelijkheid ~12 beperkt|maximaal|overschrijden|hoger; maximum*; maximaal bedrag; cap van`,
  other: `valuation cap; valuation; escrow*; holdback; treuhand*; hinterleg*; einbehalt; séquestre; depósito*; vertragsstrafe*; penalt*; facility; drawn; turnover; revenue; insured; policy ~2 limit; retention; premium; earn out; insurance; policy; selbstbehalt; prime d'assurance; póliza; polis; par value; working capital; purchase price is; kaufpreis beträgt; depósito; contractual fine; boete; boetebeding; clause pénale; monthly rent`,
  survival: `survive; survival; überleben`,
  time: `surviv*; statute* of limitation|limitations; limitations; limitation period*; from|after|following closing|completion; from ~2 closing|completion date; ab ~2 vollzug*|closing|stichtag|übertragungsstichtag; nach ~2 vollzug*|closing; à compter ~3 closing|réalisation|cession; desde ~3 cierre|closing; vanaf ~2 closing|levering|overdracht; na ~2 closing|levering; expir*; notif*; notice ~3 claim*; written notice; time limit*; time bar*; time period; limitation; limitation period; claim period; claims period; survival; within; later than; liable; no claim; period; brought; made; verjähr*; ausschlussfrist*; geltend; frist; haftungsdauer; garantiefrist; prescri*; caduc*; durée; plazo*; duración; vigencia; vervallen; vervalt; verjar*; ingediend; termijn; looptijd; délai; dauer; laufzeit; zeitliche; expirer*; kenbaar`,
  aside: `escrow; non compet*; non solicit*; wettbewerb*; hinterleg*; confidential*; vertraulich*; treuhand*; concurrence; confidentialité; competencia; confidencialidad; concurrentiebeding; geheimhouding; earn out; lock up; statements for; preserved; insurance polic*`,
  fundamental: `fundamental*; fundamentalgarantie*; title; capacity; authority; titel*; titelgarantie*; rechtsmängel*; eigentumsgarantie*; garanties ~1 fondamentales; fondamental*; propriété ~2 titres; titularidad; fundamentales; capacidad; fundamentele; eigendomsgarantie*; titelgaranties; due incorporation; ownership of shares; inhaberschaft`,
  tax: `tax; taxes; taxation; tax covenant; tax deed; tax indemnity; tax warrant*; steuer*; steuergarantie*; steuerfreistell*; fiscal*; fiscale*; impôt*; impuesto*; tribut*; tributari*; belasting*; belastinggarantie*; fiscalité; seguridad social`,
  environmental: `environment*; umwelt*; umweltgarantie*; environnement*; medioambient*; medio ambiente; ambiental*; milieu*`,
  'specific-indemnity': `specific indemnit*; special indemnit*; specific disclosed; indemnity in|under|for; indemnities in|under|set; spezifische ~1 freistellung*; besondere ~1 freistellung*; einzelfreistellung*; indemnité* ~1 spécifique*; garantie* spécifique*; garantie spéciale; indemnidad* específica*; indemnización específica; specifieke vrijwaring*`,
});
