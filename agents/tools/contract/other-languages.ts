/** Headings and operative wording of the checklist clauses in French, Spanish and Dutch contracts, by clause id. */
import { phraseList as list } from '../text/phrases.ts';

/** Id, headings, wording; the phrases of the three languages do not occur in English or German contracts. */
const entries: readonly (readonly [string, string, string])[] = [
  [
    'parties',
    'les soussignés; les soussignées; parties contractantes; reunidos; comparecen; intervienen; las partes; partijen; de ondergetekenden',
    'entre les soussignés|soussignées; il a été convenu; acuerdan ~8 contrato; komen overeen; verklaren te zijn overeengekomen',
  ],
  [
    'scope',
    'objet; objet du contrat; prestations; étendue des prestations; objeto; objeto del contrato; prestaciones; onderwerp; voorwerp; opdracht; dienstverlening',
    'prestataire|vendeur|fournisseur ~4 fournit|réalise|exécute|livre; contrat a pour objet; contrato tiene por objeto; opdrachtnemer|leverancier|verkoper ~4 levert|verricht',
  ],
  [
    'payment',
    'prix; paiement; prix et paiement; conditions de paiement; modalités de paiement; redevances; honoraires; loyer; facturation; precio; pago; precio y pago; forma de pago; regalías; cánones; honorarios; facturación; vergoeding; betaling; prijs; prijs en betaling; prijzen; tarieven; facturering; huurprijs',
    'factures ~10 payables|réglées|dues; pénalités de retard; facturas ~10 pagarán|abonarán; pagará ~12 días; facturen ~12 dagen; betaalt ~12 dagen; betalingstermijn',
  ],
  [
    'termination',
    'résiliation; résiliation anticipée; fin du contrat; rupture; resolución; terminación; extinción; rescisión; resolución anticipada; beëindiging; opzegging; ontbinding; duur en beëindiging',
    'peut|pourra|peuvent ~8 résilier; résilié* de plein droit; podrá|podrán|puede|pueden ~8 resolver|rescindir|terminar; kan|kunnen|mag ~12 opzeggen|ontbinden|beëindigen',
  ],
  [
    'limitation_of_liability',
    'responsabilité; limitation de responsabilité; plafond de responsabilité; responsabilidad; limitación de responsabilidad; aansprakelijkheid; beperking van aansprakelijkheid',
    'responsabilité ~10 limitée|excéder|plafonnée; responsabilidad ~12 limitada|excederá|superará|limita; aansprakelijk* ~12 beperkt|gemaximeerd|maximaal; niet aansprakelijk',
  ],
  [
    'confidentiality',
    'confidentialité; secret; obligation de confidentialité; confidencialidad; secreto; geheimhouding; vertrouwelijkheid',
    'garde* confidentiel*; garder ~6 confidentiel*; informations confidentielles; mantendrá* ~8 confidencial*; información confidencial; deber de secreto; geheim houden|houdt; tot geheimhouding',
  ],
  [
    'governing_law',
    'loi applicable; droit applicable; loi et juridiction; droit et juridiction; ley aplicable; legislación aplicable; derecho aplicable; ley y fuero; toepasselijk recht; recht en forum; recht en bevoegde rechter; toepasselijk recht en geschillen',
    'soumis ~4 droit; régi ~6 droit|loi; droit français|belge|suisse|luxembourgeois; se rige ~6 ley|derecho|legislación; se regirá ~8 ley|leyes|derecho|legislación; derecho español; nederlands recht; belgisch recht; recht van toepassing',
  ],
  [
    'data_protection',
    'données personnelles; protection des données; données à caractère personnel; rgpd; protección de datos; datos personales; persoonsgegevens; gegevensbescherming; verwerking van persoonsgegevens; avg',
    'données personnelles ~12 traite*; données à caractère personnel; datos personales; datos de carácter personal; persoonsgegevens ~12 verwerk*; verwerkt ~8 persoonsgegevens',
  ],
  [
    'term',
    'durée; durée du contrat; prise d effet; entrée en vigueur; durée et résiliation; duración; plazo; vigencia; duración del contrato; duur; looptijd; ingangsdatum; duur en beëindiging; duur van de overeenkomst',
    'prend effet; durée de ~4 mois|an|ans|années; conclu pour une durée; entrará|entra en vigor; duración de ~4 años|año|meses; treedt ~6 in werking; gaat in op; looptijd van ~4 jaar|maanden; aangegaan voor',
  ],
  [
    'indemnification',
    'garantie d éviction; indemnisation; indemnización; indemnidad; vrijwaring',
    'garantit ~8 contre; tiendra|tenir indemne; mantendrá indemne; indemnizará; vrijwaart; vrijwaren; vrijwaring',
  ],
  [
    'intellectual_property',
    'propriété; propriété intellectuelle; droits d auteur; propiedad intelectual; propiedad industrial; derechos de propiedad; titularidad; marcas; intellectuele eigendom; intellectuele eigendomsrechten; eigendom',
    'propriété intellectuelle; demeure* la propriété; propiedad intelectual|industrial; titular ~4 marca*; intellectuele eigendom*',
  ],
  [
    'warranties',
    'garanties; déclarations et garanties; garantías; manifestaciones y garantías; declaraciones y garantías; garantie; garanties en verklaringen',
    'déclare et garantit; garantit que; garantiza que; declara y garantiza; garandeert dat; staat ervoor in',
  ],
  [
    'dispute_resolution',
    'juridiction; litiges; règlement des litiges; différends; attribution de compétence; loi et juridiction; jurisdicción; fuero; arbitraje; controversias; resolución de conflictos; geschillen; geschillenbeslechting; bevoegde rechter; forumkeuze; recht en forum',
    'tribunal de commerce|grande instance|judiciaire; tribunaux de|compétents; tout litige; juzgados y tribunales; corte de arbitraje; sometidas|someterá|someten ~8 arbitraje|tribunales; bevoegde rechter; rechtbank; geschillen ~12 voorgelegd',
  ],
  ['force_majeure', 'fuerza mayor; overmacht', 'fuerza mayor; overmacht; caso fortuito; cas fortuit'],
  [
    'assignment',
    'cession; cession du contrat; transfert; incessibilité; cesión; cesión del contrato; transmisión; overdracht; cessie; contractsovername',
    'ne peut|pourra ~6 céder; céder ~8 accord; no podrá ~6 ceder; ceder ~10 consentimiento; niet ~10 overdragen; overdragen ~10 toestemming; zonder ~8 toestemming ~8 overdragen',
  ],
  [
    'notices',
    'notifications; notificaciones; comunicaciones; mises en demeure; kennisgevingen; mededelingen; correspondentie',
    'notifications ~12 adressées|recommandée; notificaciones ~12 enviarán|dirigirán|domicilio|domicilios|burofax; comunicaciones ~12 domicilio*|escrito|burofax; kennisgevingen ~12 schriftelijk; mededelingen ~12 schriftelijk',
  ],
  [
    'amendment',
    'avenant; avenants; modification du contrat; modificaciones; modificación; novación; wijziging; wijzigingen',
    'modifié* ~8 avenant|écrit; avenant ~4 signé; modificación ~12 escrito|escrita; wijziging* ~12 schriftelijk',
  ],
  [
    'entire_agreement',
    'intégralité; intégralité de l accord; accord complet; acuerdo íntegro; acuerdo completo; totalidad del acuerdo; volledige overeenkomst; gehele overeenkomst',
    'intégralité ~6 accord; annule et remplace; acuerdo íntegro; totalidad del acuerdo; sustituye a cualquier; gehele overeenkomst; volledige overeenkomst; vervangt alle',
  ],
  [
    'severability',
    'nullité partielle; divisibilité; nulidad parcial; divisibilidad; gedeeltelijke nietigheid; deelbaarheid',
    'clause ~8 nulle; nulidad ~12 cláusula*; cláusula ~8 nula; bepaling ~8 nietig',
  ],
  [
    'waiver',
    'renonciation; tolérance; renuncia; no renuncia; afstand van recht',
    'vaut pas renonciation; constituirá renuncia; no constituye renuncia; geen afstand',
  ],
  [
    'survival',
    'survie; supervivencia; voortdurende verplichtingen',
    'survivent|survivront ~8 contrat; sobrevivirán|subsistirán; blijven ~8 kracht|gelden',
  ],
  [
    'insurance',
    'assurances; assurance responsabilité; seguros; seguro; seguro de responsabilidad; verzekering; verzekeringen; aansprakelijkheidsverzekering',
    'assuré à hauteur; souscri* ~6 assurance; police d assurance; contratará|mantendrá ~6 seguro; póliza ~4 seguro; is verzekerd; aansprakelijkheidsverzekering; verzekerd bedrag',
  ],
  [
    'audit_and_compliance',
    'conformité; contrôle; droit d audit; auditoría; auditorías; inspección; cumplimiento; controle; naleving',
    'droit d audit; procéder ~6 audit; derecho ~6 auditar|inspeccionar; auditar ~8 libros|cuentas; recht ~8 controleren; audit ~4 uitvoeren',
  ],
];

export const otherWording: ReadonlyMap<
  string,
  { readonly headings: readonly string[]; readonly wording: readonly string[] }
> = new Map(entries.map(([id, headings, wording]) => [id, { headings: list(headings), wording: list(wording) }]));
