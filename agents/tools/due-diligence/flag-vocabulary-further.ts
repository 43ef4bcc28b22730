/** Further wordings of red flags, in the form of `flag-vocabulary.ts`: how reports, answers and annexes put them. */
export interface FlagWords {
  readonly id: string;
  /** States the flag without more. */
  readonly alone?: string;
  readonly topic?: string;
  readonly state?: string;
}

export const furtherFlagWords: readonly FlagWords[] = [
  {
    id: 'going_concern',
    alone: `cash ~3 runs out|last*|sufficient until|exhausted; liquidity ~4 only until|sufficient until; insolvency filing; filed for ~1 insolvency|bankruptcy|administration; half ~3 share|registered capital ~2 lost; loss of half; liquidität* ~4 reicht nur|erschöpft; hälfte ~3 stammkapital*|grundkapital* ~3 verloren|aufgezehrt; insolvenzantrag; insolvenzreif*; perte de la moitié; redressement judiciaire; procédure de sauvegarde; concurso de acreedores; preconcurso; surseance; continuïteitsveronderstelling; væsentlig usikkerhed; fortsat drift ~6 usikker*|tvivl; tabt ~2 halvdelen|selskabskapital*`,
  },
  {
    id: 'qualified_audit',
    alone: `disclaimed ~1 opinion; auditor* ~3 qualified; audit opinion ~3 modified|adverse; refused to sign ~3 accounts; observations ~2 réserves; réserve* ~3 commissaire*; certification ~2 réserve*; salvedades; auditor ~4 salvedad*; forbehold; afkeuren* ~2 verklaring; testat ~3 versagt|eingeschränkt`,
  },
  {
    id: 'internal_control',
    alone: `four eyes ~4 not|missing|lacking; no four eyes; segregation of duties ~4 not|lacking|missing|absent; same person ~6 approve*|release*|pay*; one|single ~1 person|employee ~3 can; vier augen prinzip ~4 nicht|fehl*; funktionstrennung ~3 fehl*|nicht; pas de séparation; absence ~2 séparation; sin segregación; functiescheiding ~3 ontbre*|niet; geen functiescheiding; reconciliation* ~2 not|never ~2 performed|prepared|carried|done`,
  },
  {
    id: 'covenant_breach',
    alone: `ratio* ~4 above|exceeded|exceeds ~4 limit|maximum|threshold|agreed; bank ~4 waived|reserved ~2 rights; zulässig* ~3 überschritten; kennzahl* ~8 zulässig|überschritten|verfehlt; non respect ~2 ratio*|covenant*; ratio* ~4 non respecté*; waiver ~4 banque*; incumplimiento ~3 ratio*|covenant*; ratioverletzung; covenantbrud; brud på ~2 covenant*|lånebeting*`,
  },
  {
    id: 'tax_dispute',
    alone: `tax|vat ~2 not|never ~2 collected|remitted|declared|withheld|charged|registered; sales tax ~4 not; nachforderung ~4 eur|euro|teur|finanzamt; rückstellung ~4 steuer* ~3 fehl*|nicht; contrôle fiscal; contrôle urssaf; redressement ~5 €|eur|euros; avis de mise en recouvrement; dette* fiscale*; dette* sociale*; inspección tributaria ~4 abierta|curso; deuda* tributaria*; naheffingsaanslag*; navorderingsaanslag*; skattekrav; skattesag; efteropkrævning; transfer pricing ~2 missing|lacking|outstanding; verrechnungspreis* ~4 fehl*|nicht|keine; payroll tax ~3 unpaid|arrears|late`,
  },
  {
    id: 'pending_litigation',
    alone: `letter ~3 threatening; threaten* ~3 sue|proceedings|action|litigation|arbitration|claim; demand* ~2 damages; demand letter; lawyer* ~3 wrote|letter; claims damages; claims compensation; mit|durch schreiben ~10 angedroht; schadensersatz* ~10 angedroht|gefordert|geltend; droht ~4 klage; klage ~2 angedroht; angedroht* ~2 klage; mise en demeure ~5 payer|de; assigné ~3 société; assignation ~4 tribunal; contentieux ~3 cours|pendant; requerimiento notarial|extrajudicial; amenaza* ~4 demanda*|acciones; gesommeerd; sommatie*; aansprakelijk gesteld; stævnet; stævning; retssag ~4 mod|anlagt|verserer; søgsmål; voldgiftssag; truet med ~2 søgsmål; plaintiff seeks; plaintiff* ~3 seek; is a defendant; named as ~1 defendant`,
  },
  {
    id: 'ip_infringement',
    alone: `cease and desist ~8 patent*|trade*|mark*|copyright*; abmahnung ~6 patent*|marke*|urheber*; mise en demeure ~8 contrefaçon|brevet|marque; patentkrænkelse; krænk* ~4 patent*|varemærke*`,
  },
  {
    id: 'ip_not_owned',
    alone: `registered ~6 personally; registered to ~5 personally; registered in ~3 own name; co owner* ~3 patent*|software|trademark*|mark; co owned ~3 university|institute|inventor*; owned jointly ~3 university|institute; held personally ~2 by; copropriét* ~3 brevet*; copropiedad ~3 patente*; miteigentümer* ~3 patent*; contitolar* ~3 brevett*; mede-eigenaar ~3 octrooi; intestat* ~3 università|socio|fondatore|amministratore; noch auf ~10 eingetragen|lautet|lautend; eingetragen auf ~3 universität|hochschule|gesellschafter*; ist auf ~6 universität|erfinder*|gründer*|gesellschafter* ~2 eingetragen; inscrit* ~2 au nom ~4 université|fondateur*|associé*|dirigeant*|salarié*|inventeur*; encore inscrit* ~2 nom; still ~2 registered|held ~4 name|university|former; in ~1 name of ~3 university|former|founder*|employee*|inventor*; inventor* ~4 refuse* ~2 sign; of ~3 inventors ~2 signed; aucune cession ~3 droits|inventions; sin contrato de cesión; op naam van ~3 universiteit|directeur; wrote the ~4 code|software|firmware|controller ~8 no|without|before|none; freelancer* ~6 without|no ~3 assignment|contract|agreement; ikke overdraget; står ~2 i ~3 navn`,
    state: `lautet ~3 auf; lautet; refuse* to sign; never signed; has|have not signed; inscrit* au nom; enregistré* au nom; a nombre del|de; op naam van; universit* ~2 claims; disputed ~2 inventor*|ownership; ikke overdraget; tilhører`,
  },
  {
    id: 'related_parties',
    alone: `owned by ~4 wife|husband|spouse|brother|sister|son|daughter|family|father|mother; rent* ~4 from ~4 founder*|director*|shareholder*|wife|husband|family; lease* ~6 from ~4 family; leas* ~4 from ~4 founder*|director*|officer*|chief; belong* to ~3 managing|founder* ~2 wife|husband; miet* ~4 vom|von ~3 gesellschafter*|geschäftsführer*|ehefrau|familie; gehört ~3 ehefrau|ehemann|geschäftsführer*|gesellschafter*; loué* ~4 sci ~6 dirigeant*|associé*|gérant*|président*; appartenant ~3 dirigeant*|associé*|épouse|gérant*; convention* réglementée*; propiedad ~3 administrador*|socio*|esposa; eigendom ~3 bestuurder|dga|echtgenote; gehuurd ~3 dga|aandeelhouder|bestuurder; ejes af ~3 direktør*|hovedaktionær*`,
  },
  {
    id: 'criminal_investigation',
    alone: `police ~3 search*|investigat*|raid*; prosecutor* ~4 investigat*|search*|opened|charged; anti corruption|bribery ~3 searched|investigat*; polizei ~3 durchsucht*; steuerfahndung; garde à vue; parquet ~4 enquête; fiscalía ~4 investiga*; politi* ~3 efterforsk*|ransag*; openbaar ministerie ~4 onderzoek`,
  },
  {
    id: 'data_breach',
    alone: `personal data ~6 published|leaked|stolen|exposed|encrypted|exfiltrated; data of ~6 published|stolen|leaked; laptop* ~3 stolen|lost ~4 data; fichier* ~4 exfiltré*|volé*; données ~5 exfiltrées|volées|dérobées|publiées; cyberattaque*; daten ~5 entwendet|gestohlen|abgeflossen|veröffentlicht; datos ~5 robados|filtrados|sustraídos|publicados; gegevens ~5 gestolen|gelekt|gepubliceerd; databrud; hackerangreb; persondata ~4 lækket|stjålet`,
  },
  {
    id: 'contamination',
    alone: `belast* ~3 mineralöl|schwermetall*|lösemittel*|altöl; mineralöl* ~4 boden|erdreich|grundwasser; gelände|grundstück|boden ~8 belastet|verunreinigt|kontaminiert; mineral oil ~5 soil|ground; hydrocarbons ~8 found|detected; solvents ~6 soil|groundwater|ground; heavy metals ~6 soil|groundwater|ground; underground tank* ~4 leak*; asbestos; hydrocarbures ~8 terre*|sol*|terrain; étude ~2 sol* ~8 évidence|révél*; terrain* ~2 pollué*; pollution ~3 terrain|terre*|site; sol* ~4 hydrocarbures|pollu*; terreno* ~3 contaminad*; hidrocarburos ~6 suelo|subsuelo; olie ~4 bodem; forurenet; forurening ~4 jord*|grund*; jordforurening`,
  },
  {
    id: 'employment_claims',
    alone: `engaged as self employed; engaged ~3 self employed; found ~4 to be employees; als scheinselbständige*; sin alta ~4 seguridad social; sin dar de alta; without ~3 registration ~3 social security; not registered ~3 social security; lavoro nero; lavoratori ~3 irregolari; schwarzarbeit; travail dissimulé; zwartwerk; svartarbete; self employed ~4 since|likely|status|in fact; contractors ~4 employees|misclassified|reclassif*; likely misclassified; bogus self employ*; unpaid overtime; back pay; strike ~2 since|ongoing; works council ~3 not ~2 consulted|informed; scheinselbständ*; scheinselbstständ*; als ~2 scheinselb*; betriebsrat ~4 nicht ~3 angehört|beteiligt|unterrichtet; arbeitsgericht ~5 klage*|verfahren|anhängig; requalification ~3 contrat|salari*; travailleurs dissimulés; saisi ~3 prud*; despido* ~4 impugnad*|demanda*; falsos autónomos; inspección de trabajo ~4 acta*|sanción; afskedigelsessag; uberettiget ~1 opsigelse|bortvisning`,
  },
  {
    id: 'missing_licence',
    topic: `effluent|discharge|environmental|operating ~1 consent*; arrêté*; autorisation*; permis; agrément*; type examination; discharge consent; operating licence; environmental permit; planning permission; building permit; tilladelse*; miljøgodkendelse*; godkendelse*; omgevingsvergunning*; arrêté d'occupation`,
    state: `ran out; run out; lapse on; ceased ~2 valid; not ~2 applied for; never ~2 applied|obtained|granted; arrivé* à échéance; arrivé* à expiration; a expiré; plus valable; n'a pas été renouvelé*; n'est plus; nicht beantragt; seit ~4 abgelaufen; keine ~1 gültige; udløbet; udløb; mangler; ikke fornyet; ha expirado; ha caducado; no dispone; carece; is verlopen; niet aangevraagd`,
  },
  {
    id: 'unaudited',
    alone: `not ~2 audited; niet ~2 door ~2 accountant; niet ~1 gecontroleerd; no audit ~2 performed|carried|required; comptes ~4 non ~1 audités|certifiés|arrêtés; comptes ~2 provisoires; cuentas ~5 sin auditar|no auditadas; ikke revideret; ureviderede|urevideret; abschluss ~4 ungeprüft`,
  },
  {
    id: 'key_people',
    alone: `only ~3 person ~3 who|knows|able; only employee ~2 who|able|with; nobody else ~3 know*|can|able; no one else ~3 know*|can|able; no ~1 deputy|successor|replacement ~3 appointed|named|identified|in; key engineer ~4 notice|resigned|left|leav*; head of ~4 given notice|resigned|left|leaves|leaving; einzige ~2 mitarbeiter* ~2 der|die; kein* ~1 stellvertret*|nachfolger* ~3 bestellt|benannt|vorhanden; wissen ~4 nur ~3 person; seul* ~2 salarié*|personne ~3 à|maîtris*|connaît; aucun ~1 remplaçant|suppléant|successeur; única persona ~2 que; sin sustituto|sucesor; enige ~2 medewerker ~2 die; geen ~1 opvolger|vervanger; nøgleperson* ~4 opsagt|fratråd*; eneste ~2 medarbejder`,
    topic: `head of research; head of development; lead developer*; key engineer; chief engineer; lead engineer; key people|person; plant manager; production manager; sales manager; chief technology; direktør*; nøglemedarbejder*; responsable technique; directeur technique; jefe de; director técnico`,
    state: `given notice; has given notice; leaves ~2 in|end; leaving ~2 in|end; retires ~2 in|end; on long term sick; announced ~3 departure|leave|resignation; fratræder; fratrådt; opsagt; a démissionné; quitte; se jubila; ha dimitido`,
  },
  {
    id: 'missing_minutes',
    topic: `procès verbaux; registre des mouvements; registre* ~2 titres; ejerbog; generalforsamlingsprotokol*; protokollat*; share transfer forms; allotment*; shareholders meetings; filings at companies house; annual return*; confirmation statement; actas de ~2 junta*; libro de actas; minuten`,
    state: `cannot find; could not find; not found; nowhere to be found; not in ~1 archive*; absent*; mangler; ikke fundet; bortkommet; has to be corrected; have to be corrected; still shows; never ~1 filed|registered|entered`,
  },
  {
    id: 'copyleft',
    alone: `gpl ~6 firmware|proprietary|product*|shipped; copyleft ~6 product*|firmware|proprietary|shipped|code`,
  },
  {
    id: 'encumbered_shares',
    alone: `shares ~4 pledged; pledged ~3 shares; pledge ~3 of|over ~4 shares; anteile ~6 verpfändet; verpfändung ~4 anteile*|geschäftsanteil*; nantissement ~4 actions|titres|parts; actions ~4 nanties; participaciones ~4 pignoradas; aandelen ~4 verpand; anparter ~4 pantsat; aktier ~4 pantsat`,
  },
  {
    id: 'disputed_ownership',
    alone: `claimed by ~4 nephew*|niece*|heir*|widow|sibling*|brother*|sister*; competing wills; competing claims ~3 shares; repurchase ~2 invalid; erbstreit*; erben ~4 beanspruchen; héritiers ~4 revendiquent; herederos ~4 reclaman; claim* ~3 still ~2 own*|hold*; claim* ~4 of ~2 shares; repurchase ~4 invalid; claims ~2 the ~2 shares; shares ~6 claimed by; inheritance ~4 dispute*; heirs ~5 dispute*|claim*|contest*; abtretung ~8 bestritten|unwirksam|angefochten; erben ~5 streit*|bestreiten; cession ~6 contestée|nulle; héritiers ~5 contest*|revendiqu*; herederos ~5 reclam*|impugn*; erfgenamen ~5 betwist*|claim*; ejerskab ~4 bestrid*|omtvist*`,
    state: `claimed by; competing wills; claims the; invalid ~3 transfer|repurchase|assignment; transfer ~3 invalid|void; angefochten`,
  },
  {
    id: 'pension_deficit',
    alone: `pension ~5 not ~2 provided|funded|provisioned; pensionsverpflichtung* ~5 nicht|unzureichend; engagements de retraite ~5 non|pas; pasivo* ~2 pensiones ~3 no; pasivo ~2 por pensiones; pensioentekort; pensionsforpligtelse* ~4 ikke|uafdækk*; pension scheme ~5 deficit|shortfall`,
  },
  {
    id: 'supplier_dependency',
    alone: `only ~1 source; sole ~2 source ~2 of|for; no ~2 second|alternative ~1 source|supplier; one supplier ~5 cover*|deliver*|account*|provid*; supplier ~5 % ~3 purchases|spend|procurement; % ~3 purchases ~4 from; kein* ~2 zweitlieferant*|alternativlieferant*; nur ~1 ein* ~2 lieferant*; bezieht ~6 ausschließlich ~2 von|bei; aucun ~2 fournisseur ~1 alternatif; pas de ~1 second|autre fournisseur; sin proveedor alternativo; geen ~2 alternatieve leverancier; eneste leverandør; eneleverandør`,
  },
  {
    id: 'churn',
    alone: `großkunde*|hauptkunde*|schlüsselkunde* ~12 gekündigt|kündigt; hauptabnehmer* ~12 gekündigt; client principal ~8 résilié; cliente principal ~8 rescindido|resuelto; cliente principale ~8 receduto|disdetto; will not renew; not ~2 to renew ~3 contract|agreement; announced ~4 not renew; contract ~4 not ~1 be; customer* ~4 switch*|moved ~2 to; lost ~2 customer|client|account|contract|tender; kündigung ~4 größt*|haupt*|kunden; hauptkunde* ~4 gekündigt|kündigt; auftrag ~3 verloren; ne renouvellera pas; perte ~2 client|contrat|marché; no renovará; pérdida ~2 cliente|contrato; klant ~6 opgezegd; afnemer ~6 opgezegd; kunde* ~4 opsagt|tabt`,
  },
  {
    id: 'contingent_liabilities',
    alone: `guaranty|guarantee of ~6 line of credit|loan|debt|facility; guaranty ~12 not released; guarantee ~12 not released; bürgschaft ~8 nicht ~1 freigegeben|zurückgegeben; fideiussione ~4 favore; guarantee ~4 for ~4 loan|debt|affiliate*|subsidiar*|parent|sister; guarantee ~6 not ~1 recorded|provided|disclosed; surety ~4 for; bürgschaft* ~5 schwester*|mutter*|dritt*|darlehen; se porte caution; caution solidaire; aval ~3 préstamo*|filial*; borg ~4 voor; kaution* ~3 for; kautionsforpligtelse*; selvskyldnerkaution`,
  },
  {
    id: 'overdue_receivables',
    alone: `days past due; past due ~4 more than; more than ~2 days past due; overdue ~3 by|for|more|since; unpaid ~3 since|for more; days overdue; seit ~4 überfällig; tage überfällig; en retard ~3 de|jours; impayé* ~4 depuis|plus; vencid* ~3 más de|hace; más de ~2 días ~3 vencid*; dagen ~2 vervallen|achterstallig; forfaldne ~2 tilgodehavender|fordringer`,
    topic: `aged debtor*; debtors; customer balance*; trade debtor*; offene posten; tilgodehavende*; encours client*; saldos de clientes`,
  },
  {
    id: 'product_liability',
    alone: `recall* ~3 of ~4 model|series|type|pumps|devices|machines|vehicles|batteries; was|were recalled; rückgerufen; produktrückruf*; rappel ~3 modèle|série|lots; retirado ~2 mercado; teruggeroepen; tilbagekald*; produktansvar* ~4 sag|krav`,
  },
  {
    id: 'state_aid',
    alone: `claims back ~8 grant*|subsid*|aid; claw* back ~6 grant*|subsid*; grant ~8 repaid|repayable|reclaimed|revoked; subsid* ~8 reclaimed|repaid|repayable|revoked|claims back; repay* ~4 grant*|subsid*; zuwendung* ~6 zurück*|widerruf*; fördermittel* ~6 zurück*|widerruf*; subvention* ~6 rembours*|restitu*|retir*; subvención ~6 reintegr*|devol*|revoc*; subsidie ~6 terug*|ingetrokken; tilskud ~6 tilbage*`,
  },
  {
    id: 'insurance_gaps',
    alone: `póliza ~6 no ~3 renovada; police ~6 nicht ~2 verlängert; police ~6 pas ~2 renouvelée; polizza ~6 non ~3 rinnovata; polis ~6 niet ~2 verlengd; seguro ~8 no ~2 contratado; insurance ~8 not ~2 taken out|concluded|purchased|contracted; keine police; polizza ~6 non ~2 stipulata|sottoscritta; assurance ~6 pas ~2 souscrite; verzekering ~6 niet ~1 afgesloten; insurance ~4 not ~2 renewed|place|taken|available; insurance ~2 lapsed; policy ~3 lapsed|cancelled|expired ~4 not|no; no ~2 cyber|liability|property|business ~3 insurance|cover|policy; without ~1 insurance; versicherung* ~2 keine vorhanden; versicherung* ~3 nicht ~2 verlängert|abgeschlossen|vorhanden; versicherungsschutz ~3 fehlt|nicht; keine ~2 versicherung; assurance ~4 résiliée|expirée|non ~1 renouvelée; défaut d'assurance; sans assurance; seguro ~4 vencido|caducado|no ~1 renovado; verzekering ~4 verlopen|niet|ontbre*; ingen ~2 forsikring; forsikring* ~4 udløbet|opsagt; insurer ~4 cancel*|will not renew|not renew`,
  },
  {
    id: 'antitrust',
    alone: `competition authority ~6 investigat*|opened|inquiry|fine*|search*; price cartel; bid rigging; kartellamt ~6 ermittelt|verfahren|bußgeld|durchsuch*; autorité de la concurrence ~8 enquête|amende|griefs|visite; cnmc ~6 expediente|sanción|investiga*; acm ~6 onderzoek|boete; konkurrence ~2 styrelsen ~6 undersøg*|bøde; cartel; merger ~3 without ~2 notification|clearance; gun jumping`,
  },
  {
    id: 'privacy_gaps',
    alone: `no ~2 evidence of consent; without ~2 consent ~4 data|newsletter|marketing; consent ~3 not ~1 obtained; no ~2 lawful basis; no ~1 dpia; marketing database ~6 no|without|not; data protection authority ~6 complaint|inquiry|investigat*|fine*|order*; ico ~4 complaint|investigat*|reprimand; keine ~2 einwilligung* ~5 daten|newsletter|werbung|kunden; ohne ~1 einwilligung* ~5 daten|newsletter|werbung|kunden; kein ~2 verarbeitungsverzeichnis; kein ~1 löschkonzept; absence de ~1 consentement; sans consentement ~4 données|clients|prospection|newsletter; pas de ~1 registre|dpo; cnil ~6 mise en demeure|plainte|contrôle; sin consentimiento ~4 datos|clientes|comercial*; zonder toestemming ~4 gegevens|nieuwsbrief|klanten; databehandleraftale* ~3 mangler; uden samtykke ~4 data|kunder|nyhedsbrev`,
  },
  {
    id: 'legacy_systems',
    alone: `out of ~2 support; end of vendor support; past ~2 end of support; kein ~2 herstellersupport; hors support; fuera de soporte; fuori supporto; buiten support; stopped supporting; no longer ~3 maintained|updated|supported; support ended; vendor ~4 discontinued|stopped; unsupported ~2 system*|software|platform|version; runs on ~8 1980|1990|as/400|cobol|windows 7|windows xp|windows server 2008; written in cobol; no ~2 backup*; backup* ~2 never|not ~1 tested; wartung ~3 eingestellt; nicht mehr unterstützt*; altsystem*; plus maintenu*; plus supporté*; obsolète*; sin soporte; no longer receives ~2 updates; niet meer ondersteund; forældet* ~1 system*|software; understøttes ikke`,
  },
  {
    id: 'sanctions',
    alone: `shipment* ~6 russia|belarus|iran|syria|north|crimea|sanctioned; deliver* ~6 russia|belarus|iran|syria|north korea|sanctioned; export* ~4 russia|belarus|iran|syria|without; shipment* ~8 without ~2 licen*; shipments to ~3 consignee*; exportgenehmigung* ~3 fehl*|ohne|nicht; ausfuhr* ~3 ohne ~1 genehmigung; embargoverstoß*; livraison* ~4 russie|iran|syrie|biélorussie; exportación* ~4 sin ~1 licencia|autorización; voluntary self disclosure`,
  },
  {
    id: 'lease_issues',
    alone: `holding over; security of tenure ~3 no|without|lost; without security of tenure; lease ~4 ends|expires|ended|expired|terminated ~3 in|on; lease ~2 expired; lease ends in; no ~2 renewal option; landlord ~4 given notice|terminated|served|refused; mietvertrag ~5 gekündigt|ausgelaufen|abgelaufen; ohne verlängerungsoption; bail ~4 expiré|résilié|congé|terme; sans droit au renouvellement; contrato de arrendamiento ~5 vencid*|vence|resuelto; huurovereenkomst ~5 opgezegd|afgelopen|eindigt; lejemål* ~4 opsagt|udløber; lejekontrakt ~4 opsagt|udløber`,
  },
  {
    id: 'ip_expiry',
    alone: `patent* ~3 expires|expired|lapses|lapsed ~3 in|on|next|because|for; patent ~2 läuft ~6 ab; patent* ~4 erlischt; brevet ~4 expire|expiré|tombé|déchu; patente ~4 caduca|expira|vence; octrooi ~4 verloopt|vervalt|verlopen; patentet ~3 udløber; trade mark|trademark ~3 lapsed|expired|cancelled|revoked`,
  },
  {
    id: 'revenue_recognition',
    alone: `revenue ~10 recognised|recognized|booked|recorded ~3 before; revenue ~8 goods despatched|dispatched|shipped|delivered in|after; sales ~6 booked|recorded ~3 before; umsatz* ~8 vor ~2 lieferung|abnahme; chiffre affaires ~8 avant ~2 livraison; ingresos ~8 antes de ~2 entrega; omzet ~8 vóór|voor ~2 levering; omsætning ~8 før ~2 levering`,
  },
];
