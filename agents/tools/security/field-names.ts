/** Names of the fields of logs in any format and language: JSON members, keys, and headings of tables. */

/** By name in lower case; nested names are joined with dots. */
export type Fields = ReadonlyMap<string, string>;

/** In the spelling of `normalName`, from the most specific. */
const names = {
  time:
    'eventtime @timestamp timestamp time ts timecreated timegenerated createddatetime published datetime dateandtime dateofevent ' +
    'activitydatetime creationtime creationdate createdat realtimetimestamp utctime requestreceivedtimestamp receivetimestamp ' +
    'receivetime generatetime edgestarttimestamp starttime eventtimestamp eventdate eventdatetime logtime datestamp timeofevent ' +
    'firstseen occurred detectiontime _time when logged timestamputc timeutc dateutc rt devtime devicereceipttime time.systemtime ' +
    't.date zeit zeitstempel zeitpunkt datumuhrzeit datumunduhrzeit datumzeit ereigniszeit erfasstam horodatage horodate dateheure ' +
    'dateetheure fecha fechahora fechayhora marcadetiempo tijdstip datumtijd datumentijd dataora dataeora orario datahora ' +
    'dataehora carimbodedatahora dataczas dataiczas dataigodzina znacznikczasu tidpunkt tidsstampel datumochtid tidspunkt ' +
    'datoogtid datoogklokkeslett aikaleima casovaznacka datumacas date datum data dato',
  day: 'date day datum tag jour fecha data dato dag dzien dia giorno paivamaara',
  clock:
    'time clock timeofday uhrzeit zeit heure hora ora orario tijd godzina czas tid klokkeslett klokkeslaet klockslag aika cas',
  actor:
    'useridentity.username useridentity.sessioncontext.sessionissuer.username targetusername winlog.eventdata.targetusername ' +
    'userprincipalname actor.alternateid actor.email properties.userprincipalname protopayload.authenticationinfo.principalemail ' +
    'initiatedby.user.userprincipalname user.username requestparameters.username username user.name userid claims.name userdisplayname csusername ' +
    'user users login acct actor actorname srcuser suser duser usrname sourceuser sourceusername dstuser targetuser targetaccount ' +
    'account accountname loginname logonname principal principalname principalemail email useremail userkey performedby initiator ' +
    'initiatedby operator caller benutzer benutzername benutzerkonto konto kontoname anwender nutzer utilisateur nomutilisateur ' +
    'nomdutilisateur compte identifiant usuario nombredeusuario cuenta utente nomeutente gebruiker gebruikersnaam account ' +
    'utilizador nomedeutilizador conta uzytkownik uzytkownicy nazwauzytkownika anvandare anvandarnamn bruger brugernavn bruker ' +
    'brukernavn kayttaja kayttajatunnus uzivatel',
  subject: 'subjectusername winlog.eventdata.subjectusername subjectaccountname',
  source:
    'sourceipaddress ipaddress source.ip client.ip srcip client.ipaddress properties.ipaddress calleripaddress clientip remip ' +
    'publicip clientpublicip externalip remoteip remoteaddr remoteaddress remotehost sourceip sourceaddress sourcenetworkaddress ' +
    'protopayload.requestmetadata.callerip callerip callingip sourceips.0 httprequest.clientip httprequest.remoteip ' +
    'actoripaddress actorip client.ipaddr id.origh cip clientaddress clientaddr src srcaddr ip ips ipv4 addr ipaddr saddr ' +
    'winlog.eventdata.ipaddress rhost rip request.remoteip request.remoteaddr clientrequestip originip loginip peer quellip quelle ' +
    'quelladresse ipadresse absenderip herkunft adresseip ipsource adressesource adresse source clienthost client remote ' +
    'direccionip iporigen ipdeorigen direccionorigen origen indirizzoip ipsorgente iporigine sorgente origine ipadres bronip ' +
    'bronadres bron enderecoip ipdeorigem origem adresip adreszrodlowy zrodlo kallip kalla ipadress kilde ipaddresse kildeip ' +
    'iposoite ipadresa iphost',
  target:
    'dstip dst destination.ip destip destinationip dstaddr destinationaddress destination id.resph daddr targetip sip zielip ziel ' +
    'zieladresse ipdestination adressedestination ipdestino destino ipdestinazione destinazione doelip bestemming cel mal',
  port:
    'dstport dpt destination.port destport destinationport id.respp dport targetport sport2 zielport portdestination ' +
    'puertodestino portadestinazione doelpoort port puerto porta poort',
  host:
    'computer computername devname hostname host.name host winlog.computername devicename device machine node server rechner ' +
    'gerat poste serveur equipo servidor dispositivo apparaat urzadzenie enhet dvchost',
  code: 'eventid winlog.eventid event.code eventcode ereignisid iddelevenement',
  /** What happened. */
  event:
    'event.action eventname operation operationname event eventtype action activity activitytype activitydisplayname displaymessage ' +
    'methodname protopayload.methodname op requesttype type threatcontenttype logcomponent logtype category eventcategory ' +
    'subcategory subtype logdesc rulename ' +
    'signature alert.signature detection detectionname threat threatname virus malware name ereignis ereignistyp ereignisart ' +
    'vorgang aktion aktivitat vorfall evenement operation activite evento tipodeevento accion actividad operazione azione attivita ' +
    'gebeurtenis handeling activiteit acao atividade zdarzenie operacja czynnosc akcja handelse atgard aktivitet haendelse ' +
    'handling hendelse tapahtuma udalost akce eventid',
  /** How it ended. */
  outcome:
    'event.outcome outcome.result outcome result results resultstatus res status state success authresult authsuccess eventresult ' +
    'resulttype resultdescription conclusion disposition verdict ergebnis resultat erfolg resultado esito risultato resultaat ' +
    'uitkomst wynik estado stato etat statut utfall udfald tulos vysledek reason failurereason resultreason grund raison motivo ' +
    'reden powod error errorcode errormessage exception',
  message:
    'message msg log event.original rawmessage raw description details detail eventdetails info summary comment text meldung ' +
    'beschreibung nachricht detailangaben bemerkung mensaje descripcion detalle messaggio descrizione dettaglio bericht omschrijving ' +
    'mensagem descricao komunikat opis meddelande beskrivning besked beskrivelse melding kuvaus zprava popis',
  program: 'process.name program syslogidentifier appname ident comm syslogprogram tag service.name',
  pid: 'process.pid pid procid syslogpid',
  session:
    'tunnelid sessionid session sessionnumber sid sessid vpnsessionid connectionid connid event.sessionid sitzung sitzungsid sesion ' +
    'idsesion idsession idsessione sessionsid sessionsnummer',
  query: 'csuriquery querystring url.query query',
  status:
    'scstatus status statuscode httpstatus httpstatuscode responsestatus response.status edgeresponsestatus responsecode ' +
    'responsestatus.code httpresponsecode http.response.statuscode downstreamstatus elbstatuscode returncode code antwortcode ' +
    'codehttp codigohttp',
  path:
    'csuristem uri requesturi path url request.uri request.url requestpath clientrequesturi clientrequestpath httprequest.uri ' +
    'httprequest.requesturl request requesturl urlpath url.path url.original resource pfad chemin ruta percorso pad',
} as const;

export type FieldMeaning = keyof typeof names;

const lists = Object.fromEntries(
  Object.entries(names).map(([meaning, list]) => [meaning, list.split(' ')]),
) as unknown as Readonly<Record<FieldMeaning, readonly string[]>>;
const known = new Set(Object.values(lists).flat());
const times = new Set(lists.time);

/** `Source IP`, `source_ip` and `srcIP (v4)` are compared without case, blanks, hyphens and underscores. */
export const normalName = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFKD')
    .replace(/\([^)]*\)|[^a-z0-9.@]/g, '')
    .replace(/^(?:des?|der|die|das|the|le|la|les|el|il|lo|het|l)(?=\W)/, '');

/** Headings of tables also count the names that only logs use. */
const furtherHeading =
  /^(?:(?:source|src|client|dest(?:ination)?|dst|target)?(?:host|port)|protocol|protokoll?|proto|severity|level|logname|log|stufe|schweregrad|niveau|nivel|livello|poziom|interface|schnittstelle|csmethod|sip|srcport|application|app|resource|requestid|correlationid|session(?:id)?|useragent|country|location|service|rule|policy)$/;

export const isTimeName = (heading: string) => times.has(normalName(heading));

export function isLogName(heading: string): boolean {
  const name = normalName(heading);
  return known.has(name) || furtherHeading.test(name);
}

/** Parts of nested names that describe another object than the actor of the event. */
const ofOther =
  /(?:^|\.)(?:targets?|object\w*|affected\w*|resources?|dest\w*|modified\w*|response\w*|old|new|previous)\./;
/** Meanings whose names are specific enough to be read at any depth: `attr.principalName`. */
const atAnyDepth: ReadonlySet<FieldMeaning> = new Set(['time', 'actor', 'source', 'host', 'message', 'outcome']);

/** Looks up values by any of the names of a meaning. */
export function lookup(fields: Fields): (meaning: FieldMeaning) => string | undefined {
  const byName = new Map<string, string>();
  const byTail = new Map<string, string>();
  for (const [name, value] of fields) {
    const normal = normalName(name);
    if (/^(?:-{0,3}|null|none|n\/a|undefined)$/i.test(value)) continue;
    if (!byName.has(normal)) byName.set(normal, value);
    if (!normal.includes('.') || ofOther.test(normal)) continue;
    const parts = normal.split('.');
    for (const tail of [parts.slice(-2).join('.'), parts.at(-1)!]) if (!byTail.has(tail)) byTail.set(tail, value);
  }
  return (meaning) => {
    for (const name of lists[meaning]) {
      const value = byName.get(name);
      if (value !== undefined) return value;
    }
    if (!atAnyDepth.has(meaning)) return undefined;
    for (const name of lists[meaning]) {
      const value = byTail.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}

/** The values of all fields of a meaning, the most specific name first. */
export function valuesOf(fields: Fields, meaning: FieldMeaning): string[] {
  const byName = new Map([...fields].map(([name, value]) => [normalName(name), value] as const));
  return lists[meaning].flatMap((name) => byName.get(name) ?? []);
}
