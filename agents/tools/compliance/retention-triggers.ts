/** When a period of retention starts, in sentences and in columns of their own. */
import { furtherTriggers } from './further-wordings.ts';

export type RetentionTrigger = 'contract-end' | 'employment-end' | 'creation' | 'request';

const triggerShapes: readonly (readonly [RetentionTrigger, RegExp])[] = [
  [
    'employment-end',
    /(?:(?:end|termination) of (?:the )?employment|employment (?:ends|has ended)|employee(?:s)? (?:leaves?|has left)|after (?:leaving|departure)|leavers|(?:ende|beendigung) des (?:arbeits|beschäftigungs|dienst)verhältnisses|nach (?:dem )?austritt|(?:fin|rupture|terme) du contrat de travail|départ du salarié|fin de la relación laboral|extinción del contrato de trabajo|cese del empleado|cessazione del rapporto di lavoro|fine del rapporto di lavoro|einde (?:van het )?dienstverband|na uitdiensttreding|uit dienst)/iu,
  ],
  [
    'contract-end',
    /(?:terminat\p{L}*|(?:end|expiry|expiration|conclusion|completion) of (?:the )?(?:\p{L}+ )?(?:contract|agreement|services?|subscription|processing|term)|contract(?:'s)? (?:end|ends|expir\p{L}+)|(?:end|expiry) of contract|(?:nach |mit )?(?:ende|beendigung|ablauf|kündigung) (?:der |des |dieser |dieses )?(?:\p{L}*leistung\p{L}*|\p{L}*vertrag\p{L}*|\p{L}*vereinbarung\p{L}*|auftrags?\p{L}*|\p{L}*verhältnis\p{L}*|dienst\p{L}*)|vertragsende|auftragsende|nach vertrags\p{L}*|(?:fin|terme|expiration|résiliation|échéance|cessation) (?:du |de la |des |de l.)?(?:présent )?(?:contrat|prestation\p{L}*|service\p{L}*|convention|accord|relation contractuelle|relation commerciale)|(?:fin|finalización|terminación|extinción|resolución|término|vencimiento) (?:del |de la |de los |de las )?(?:presente )?(?:contrato|servicio\p{L}*|prestación|encargo|relación contractual|acuerdo)|(?:fine|termine|cessazione|scadenza|risoluzione|conclusione) (?:del |della |dei |delle )?(?:presente )?(?:contratto|servizi\p{L}*|prestazion\p{L}*|accordo|rapporto contrattuale|rapporto)|(?:einde|beëindiging|afloop) (?:van )?(?:de |het |deze )?(?:\p{L}*overeenkomst|contract|dienst\p{L}*|opdracht|relatie)|contractseinde|finalizad[oa] (?:el |la )?(?:contrato|servicio|prestación|relación)|(?:terminato|cessato|concluso) (?:il |lo )?(?:contratto|rapporto|servizio)|(?:contract|agreement) has ended|end of services|exit)/iu,
  ],
  [
    'request',
    /(?:(?:upon|on|after|from|following) (?:the |a )?(?:customer's |written )?request|auf (?:anfrage|verlangen|anforderung)|à la demande|sur demande|a petición|a solicitud|su richiesta|op verzoek)/iu,
  ],
  [
    'creation',
    /(?:(?:from|after|since|of) (?:the |their |its )?(?:date of )?(?:receipt|creation|collection|recording|submission|capture|generation|being recorded)|after (?:they (?:are|were) )?(?:created|collected|recorded|received|captured)|(?:ab|nach|seit) (?:der |dem |ihrer |deren |ihrem )?(?:erhebung|erstellung|eingang|aufzeichnung|erfassung|entstehung|speicherung|aufnahme)|(?:à compter|à partir|après|dès) (?:de |du |d.)?(?:la |leur |le |l.)?(?:collecte|création|enregistrement|réception|dépôt|captation)|(?:desde|a partir de|tras) (?:su |la |el )?(?:recepción|creación|recogida|registro|captación|grabación|obtención|presentación)|(?:dalla|dal|dopo la|dopo il|dalla data di) (?:loro |sua )?(?:raccolta|creazione|registrazione|ricezione|acquisizione)|(?:na|vanaf) (?:de |het )?(?:ontvangst|aanmaak|vastlegging|verzameling|registratie|opname|creatie))/iu,
  ],
];

/** Events in a column of their own, where no preposition precedes them. */
export const startingEvents: readonly (readonly [RetentionTrigger, RegExp])[] = [
  [
    'employment-end',
    /(?<!\p{L})(?:end of employment|employment (?:end|ends|ended)|leaving|departure|termination of employment|ausscheiden|austritt|ende des (?:arbeits|beschäftigungs|dienst)\p{L}*|départ|fin du contrat de travail|fin d.emploi|fin de la relación laboral|baja del empleado|cessazione del rapporto di lavoro|fine del rapporto di lavoro|einde dienstverband|uit dienst\p{L}*|anställningens (?:slut|upphörande)|avslutad anställning|ansættelsens ophør|fratrædelse|fratreden|ustanie zatrudnienia|zakończenie zatrudnienia|cessação do contrato de trabalho|fim da relação laboral)/iu,
  ],
  [
    'contract-end',
    /(?<!\p{L})(?:(?:end|expiry|termination) of (?:the )?(?:contract|agreement|service|relationship|customer relationship|subscription)|contract end|vertragsende|ende (?:des|der) (?:vertrag\p{L}*|geschäftsbeziehung|auftrag\p{L}*)|auftragsende|fin d[ue] (?:la )?(?:contrat|relation commerciale|relation|prestation)|fin del contrato|fin de la relación comercial|cessazione del contratto|fine del contratto|einde (?:contract|overeenkomst)|avtalets (?:upphörande|slut)|avslutat avtal|aftalens ophør|kontraktens ophør|avtalens opphør|zakończenie umowy|rozwiązanie umowy|wygaśnięcie umowy|fim do contrato|cessação do contrato)/iu,
  ],
  [
    'request',
    /^(?:request|anfrage|antrag|demande|solicitud|richiesta|verzoek|begäran|anmodning|żądanie|pedido)(?!\p{L})|eingang des antrags/iu,
  ],
  [
    'creation',
    /^(?:(?:date|day|datum|date de|fecha de|data di|data de|end of the year|ende des jahres) ?(?:of |der |des |de |di )?(?:the |l.)?)?(?:creation|created|collection|recording|recorded|capture|receipt|document date|generation|issue|entry|erstellung|erhebung|aufzeichnung|aufnahme|erfassung|entstehung|eingang|ausstellung|speicherung|création|enregistrement|collecte|réception|établissement|émission|captation|captación|grabación|creación|recogida|recepción|emisión|generación|registro|creazione|registrazione|raccolta|ricezione|emissione|aanmaak|opname|vastlegging|ontvangst|creatie|skapande|inspelning|upprättande|registrering|mottagande|insamling|oprettelse|optagelse|modtagelse|opprettelse|opptak|mottak|utworzenie|nagranie|otrzymanie|zebranie|wystawienie|criação|gravação|recolha|receção|emissão)(?!\p{L})/iu,
  ],
];

export const triggers = triggerShapes.map(
  ([trigger, { source }]) => [trigger, new RegExp(`${source}|(?:${furtherTriggers[trigger]})`, 'iu')] as const,
);
