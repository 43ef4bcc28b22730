/**
 * Top-level domains that make a dotted name a domain. A selection from the root zone, so that file names and prose are not
 * mistaken for domains.
 */

/** @param name without a trailing dot, at least one dot inside */
export function hasKnownEnding(name: string): boolean {
  const ending = endingOf(name);
  return ending.startsWith('xn--') || countryEndings.has(ending) || genericEndings.has(ending);
}

/** Endings that are far more often those of files and program members than of domains: alone they are not sufficient. */
export function looksLikeFile(name: string): boolean {
  return fileEndings.has(endingOf(name));
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Two-letter top-level domains in use. @see ISO 3166-1 alpha-2 and IANA's root zone (which adds ac, eu, su, uk) */
const countryEndings = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ' +
    'ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm ' +
    'gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la ' +
    'lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np ' +
    'nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su ' +
    'sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
  ).split(' '),
);

const genericEndings = new Set(
  (
    'com net org info biz name pro edu gov mil int arpa onion test example invalid mobi asia coop jobs tel travel aero cat post ' +
    'app dev page cloud online site website space store shop xyz top club live life world today news blog wiki tech digital ' +
    'agency email network systems solutions services support center company group global international finance bank money ' +
    'click link download stream video media icu buzz rest bar fun win bid loan date review trade party science work works ' +
    'host hosting press vip wang ltd gmbh law legal health care clinic zip mov foo ninja rocks pics monster quest sbs cfd lol ' +
    'beauty hair skin makeup autos boats homes cyou bond cam surf art design studio games game tips tools run build codes ' +
    'security software data ai google amazon microsoft apple'
  ).split(' '),
);

const fileEndings = new Set(
  'py sh pl rs md so cc ps zip mov ml cs st sc do in is to id la run tools data name post app'.split(' '),
);
