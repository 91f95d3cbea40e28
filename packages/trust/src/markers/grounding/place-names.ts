const LISTS = {
  // Airports, by the city or its short name.
  airport:
    "ATL atlanta|BOS boston|BWI baltimore|CLT charlotte|DCA washington|IAD washington,dulles|DEN denver|DFW dallas|DTW detroit|EWR newark|FLL fort lauderdale|HNL honolulu|IAH houston,texas|HOU houston|JFK new york,nyc,kennedy|LGA new york,nyc,laguardia|LAS las vegas,vegas|LAX los angeles|MCO orlando|MDW chicago,midway|MIA miami|MSP minneapolis|ORD chicago,o'hare|PDX portland|PHL philadelphia|PHX phoenix|SAN san diego|SEA seattle|SFO san francisco|SJC san jose|SLC salt lake city|STL st. louis,st louis|TPA tampa|AUS austin|BNA nashville|RDU raleigh|PIT pittsburgh|MSY new orleans|YYZ toronto|YVR vancouver|YUL montreal|MEX mexico city|GRU são paulo,sao paulo|EZE buenos aires|LHR london,heathrow|LGW london,gatwick|CDG paris|ORY paris|FRA frankfurt|MUC munich|BER berlin|AMS amsterdam|MAD madrid|BCN barcelona|FCO rome|MXP milan|ZRH zurich|VIE vienna|CPH copenhagen|ARN stockholm|OSL oslo|HEL helsinki|DUB dublin|LIS lisbon|IST istanbul|DXB dubai|DOH doha|DEL delhi|BOM mumbai|SIN singapore|HKG hong kong|NRT tokyo|HND tokyo|KIX osaka|ICN seoul|PEK beijing|PVG shanghai|TPE taipei|BKK bangkok|SYD sydney|MEL melbourne|AKL auckland|JNB johannesburg|CAI cairo",
  country:
    "US united states,usa,america|USA united states,america|GB united kingdom,uk,britain,england|UK united kingdom,britain,england|GBR united kingdom,uk|DE germany|DEU germany|FR france|FRA france|ES spain|IT italy|NL netherlands|BE belgium|CH switzerland|AT austria|SE sweden|NO norway|DK denmark|FI finland|IE ireland|PT portugal|PL poland|CZ czech|GR greece|TR turkey|CA canada|CAN canada|MX mexico|BR brazil|AR argentina|AU australia|AUS australia|NZ new zealand|JP japan|JPN japan|KR south korea,korea|CN china|CHN china|IN india|IND india|SG singapore|ZA south africa|AE united arab emirates,uae|EG egypt",
  state:
    "AL alabama|AK alaska|AZ arizona|AR arkansas|CA california|CO colorado|CT connecticut|DE delaware|FL florida|GA georgia|HI hawaii|ID idaho|IL illinois|IN indiana|IA iowa|KS kansas|KY kentucky|LA louisiana|ME maine|MD maryland|MA massachusetts|MI michigan|MN minnesota|MS mississippi|MO missouri|MT montana|NE nebraska|NV nevada|NH new hampshire|NJ new jersey|NM new mexico|NY new york|NC north carolina|ND north dakota|OH ohio|OK oklahoma|OR oregon|PA pennsylvania|RI rhode island|SC south carolina|SD south dakota|TN tennessee|TX texas|UT utah|VT vermont|VA virginia|WA washington|WV west virginia|WI wisconsin|WY wyoming|DC washington",
};

/** Codes of airports, countries and states of the USA, and the names that stand for them. Lower-cased. */
export const PLACE_NAMES: ReadonlyMap<string, readonly string[]> = namesByCode();

/** Names to codes: "Texas" may be written where the customer said TX. */
export const PLACE_CODES: ReadonlyMap<string, readonly string[]> = codesByName();

function namesByCode(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const list of Object.values(LISTS)) {
    for (const entry of list.split("|")) {
      const blank = entry.indexOf(" ");
      const code = entry.slice(0, blank).toLowerCase();
      names.set(code, [...(names.get(code) ?? []), ...entry.slice(blank + 1).split(",")]);
    }
  }
  return names;
}

function codesByName(): Map<string, string[]> {
  const codes = new Map<string, string[]>();
  for (const [code, names] of namesByCode()) {
    for (const name of names) codes.set(name, [...(codes.get(name) ?? []), code]);
  }
  return codes;
}
