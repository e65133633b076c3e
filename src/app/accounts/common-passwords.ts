import { SCANNER_TOKEN } from '../../scanner/artifacts/scanner.js';

/** The 1,000 most common passwords of leaks that consist of letters, from the list of zxcvbn (MIT). */
const LEAKED = `
  access accord action adam adidas admin adrian airborne airforce airplane alabama alaska albert alex alexande
  alexander alexandr alexis alicia alison allison alpha alyssa amanda amber america american anderson andre andrea
  andrew andrey angel angela angels animal anna anthony antonio apache apollo apple apples arizona arnold arsenal
  arthur asdasd asdf asdfasdf asdfg asdfgh asdfghjk asdfghjkl ashley asshole assman atlanta august austin avalon
  avatar awesome azerty baby babygirl badass badboy badger bailey baller bambam banana bandit barbara barbie barney
  baseball basketball bastard batman baxter bear beatles beauty beaver beavis beer benjamin berlin bigboy bigcock
  bigdaddy bigdick bigdog bigmac bigman bigred bigtits bill billy billybob birdie bishop bitch bitches biteme black
  blazer blizzard blonde blowjob blowme blue bluebird bobafett bobby bollocks bondage bonnie boobies booboo boobs
  booger boogie boomer boston bowling bradley brandon brandy braves brazil brenda brian britney brittany bronco
  broncos brooke brooklyn brother browns brutus bubba bubble bubbles buddha buddy budlight buffalo bulldog bulldogs
  bullet bullshit burton business buster butter butthead cadillac caesar calvin camaro cameron canada cancer candy
  cannon captain cardinal carlos carmen carolina caroline carrie carter cartman casino casper cassie catfish celtic
  champion chance changeme charles charlie cheese chelsea cherokee cherry cheryl chester chevelle chevy cheyenne
  chicago chicken chocolat chopper chris christ christin chronic cjkysirj claire classic claudia clinton cobra
  cocacola cock coffee college colorado compaq computer connie connor control cookie cool cooper copper corvette
  cougar courtney cowboy cowboys crazy creative cricket crystal cumshot cunt daddy dakota dallas dancer danger daniel
  danielle darkness darkside darkstar dave david dbrnjhbz death debbie december defender denise dennis denver design
  destiny detroit devils dexter diablo diamond dick dickhead diesel digger digital dilbert disney doctor dodgers
  doggie dolphin dolphins domino donald donkey douglas dragon dreamer dreams driver drowssap drummer ducati dude duke
  duncan dustin eagle eagles eatme eclipse edward einstein elaine electric elephant elizabet elvis eminem empire
  engineer england enigma enter eric eugene everton explorer extreme falcon family fantasy fender ferrari fire
  fireball firebird fireman fish fisher fishing fktrcfylh flash florida flower flowers fluffy flyers football ford
  forest forever france francis frank frankie franklin fred freddie freddy free freedom freepass freeuser friday
  friend friends froggy fuck fucker fucking fuckit fuckme fuckoff fuckyou future fyfcnfcbz fylhtq gabriel galina
  galore gandalf garcia garfield gateway gators gemini general genesis genius george georgia gfhjkm ghbdtn giants
  gibson ginger girl girls goblue godzilla golden goldfish golf golfer goober good google gordon gracie green greenday
  gregory guinness guitar gundam gunner hacker hammer hannah happy hard hardcore hardon harley harrison harvey hawaii
  hawkeye heather heaven hellfire hello helpme hendrix hentai hercules herman hiphop hitman hobbes hockey holiday
  homer honda honey hooters horney horny horse horses hotdog hotrod house houston howard hummer hunter icecream iceman
  iloveyou indian infinity internet ireland ironman iwantu jack jackass jackie jackson jaguar jake james jasmine jason
  jasper jeff jeffrey jennifer jenny jeremy jerry jessica jessie jester jesus jimmy john johnny johnson jonathan jones
  jordan joseph joshua julian junior jupiter justice justin juventus karina katana kawasaki kelly kenneth kermit kevin
  killer kimberly king kirill kitten kitty klaster knight kodiak kramer kristen kristina lacrosse lakers lasvegas
  laura lauren lawrence leather legend lennon leslie letmein liberty lickme lifehack light lights lincoln lisa little
  liverpoo liverpool lizard logitech london longhorn looking louise love lovelove lovely loveme lover loverboy lovers
  loveyou lucifer lucky machine maddog madison madman madmax madonna maggie magic magnum maksim manager manutd marcus
  maria marina marine marines mark marlboro marley marshall martin marvin maryjane master matrix matt matthew maverick
  maxima maximus maxwell melanie melissa member mercedes mercury merlin metallic metallica mexico michael michele
  michelle michigan mickey microsoft midnight mike miller mine minecraft miranda mitchell molly monday money monica
  monkey monster montana mookie morgan morris mother motorola mountain mouse mozart muffin murphy music mustang naruto
  nascar nastya natali natalie natasha nathan naughty nelson nemesis newport newyork nfnmzyf nicholas nicole nigger
  nikita nintendo nipples nirvana nissan norman norton nothing november october oksana oliver olivia online orange
  orlando oscar outlaw packard packers pakistan pamela pandora pantera panther panthers panties panzer paradise paris
  parker pass passion passport password patches patricia patrick patriots paul pavilion peaches peanut pearljam
  peekaboo pegasus penguin penis people pepper perfect pervert peter phantom philip phoenix phpbb picard pickle pimp
  pimpin pirate platinum playboy player please pokemon police polina pontiac poohbear pookie poop poopoo popcorn
  popeye porn porno porsche power precious predator presario pretty prince princess private psycho pumpkin purple
  pussy pussycat pyramid qazwsx qazwsxedc qazxsw qwaszx qweasd qweasdzxc qweqwe qwert qwerty qwertyu qwertyui
  qwertyuiop rabbit rachel racing raider raiders rainbow ranger rangers raptor rascal raven raymond razz rebecca
  reddog redhead redrum redskins redsox redwings reggie remember richard robbie robert rock rocket rocks rockstar
  rocky roland rolltide ronald ronaldo rooster roscoe rosebud rulez runner ruslan russell russia sabrina sailor saints
  samantha sammy samson samsung samuel sandman sandra sandy sarah sasha saturn savage scarface school scooby scooter
  scorpio scorpion scotland scott scotty secret security semperfi serega serenity sergey service sexsex sexy shadow
  shaggy shannon sharon shelby shit shithead shorty sierra silver simon simone simple simpson simpsons skipper skippy
  skyline slayer slipknot slut smith smokey smooth snickers sniper snoopy snowball snowman soccer softball sophie
  spanky sparky speedy spencer spider spiderma spiderman spike spirit spitfire spooky sports spring stalker stanley
  star stargate startrek starwars steelers stefan stella stephen sterling steve steven stewart stingray stinky strike
  stupid sublime success sucker suckit suckme summer sunset sunshine super superman surfer suzuki svetlana sweet
  swimming swordfis swordfish sydney system tanner target tarheels tattoo taurus taylor teens tennis teresa test
  tester testing thailand theman theone therock thomas thumper thunder tiffany tiger tigers tigger time timothy tinker
  titanic tits tomcat tommy topgun tornado toyota travis trevor trinity trooper trouble trucks tucker turkey turtle
  tweety united vagina valentin vampire vanessa vegeta veronica vfhbyf vfrcbv victor victoria victory viking vikings
  viktor vincent viper virginia vision vladimir voodoo voyager walker wallace walter wanker warcraft warrior water
  weasel welcome westside whatever white whynot wildcat wildcats william williams willie willow wilson windows winner
  winston winter wizard wolf wolfpack wolverin wolves wombat wrangler wutang xavier yamaha yankee yankees yellow
  yfnfif zachary zeppelin zombie zxcvbn zxcvbnm
`;

/** Rows and columns of keys with digits, which the rules of new-password.ts do not find. */
const KEYS =
  '123456789987654321 12345678900987654321 1234567890987654321 12345678987654321 111222333444555 122333444455555 ' +
  'q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 1qazxsw23edcvfr4 1qa2ws3ed4rf5tg 1234qwerasdfzxcv qazwsxedcrfvtgb qwertasdfgzxcvb';

/** Passwords that everybody has read: examples of good and bad ones, and sentences to try keyboards and typefaces with. */
const FAMOUS = [
  'correct horse battery staple',
  'the quick brown fox jumps over the lazy dog',
  'the quick brown fox',
  'lorem ipsum dolor sit amet',
  'lorem ipsum dolor',
  'to be or not to be',
  'to be or not to be that is the question',
  'may the force be with you',
  'open sesame open sesame',
  'this is a password',
  'this is my password',
  'this is a strong password',
  'this is a secure password',
  'this is not a password',
  'my password is password',
  'my voice is my passport',
  'never gonna give you up',
  'twinkle twinkle little star',
  'franz jagt im komplett verwahrlosten taxi quer durch bayern',
];

/** In lower case, with the words of sentences joined. */
const COMMON: ReadonlySet<string> = new Set([
  ...LEAKED.trim().split(/\s+/),
  ...KEYS.split(' '),
  ...FAMOUS.map((sentence) => sentence.replaceAll(' ', '')),
]);

const SERVICE_WORDS = wordsOf(SCANNER_TOKEN.replace(/([A-Z])/g, ' $1'));

/** Signs that people write instead of letters. */
const SUBSTITUTES = new Map(
  Object.entries({ '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' }),
);

/**
 * Returns why a password is guessed early (NIST SP 800-63B-4, section 3.1.1.2, "commonly used, expected"): it is on the list of common
 * passwords, or consists of words of the service and the account. Ignores case, accents, digits and signs around and between the letters,
 * and substitutes such as @ for a.
 * @param ownWords texts of the account that others know
 */
export function findWeakness(password: string, ownWords: readonly string[]): 'common' | 'own words' | null {
  const folded = fold(password);
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const unmasked = core.replace(/[@431!0$57]/g, (sign) => SUBSTITUTES.get(sign) ?? sign);
  const spellings = [folded, core, ...[core, unmasked].map((text) => text.replace(/[^\p{L}]/gu, ''))];
  if (spellings.some((text) => COMMON.has(text))) return 'common';
  // Longest first, so that no word is split by a shorter one.
  const words = [...knownWords(ownWords)].sort((a, b) => b.length - a.length);
  for (const letters of spellings.slice(2).filter((text) => text !== '')) {
    const rest = words.reduce((text, word) => text.replaceAll(word, ''), letters);
    if (rest === '' || COMMON.has(rest)) return 'own words';
  }
  return null;
}

/** Returns the words of the service and those that others know of the account. */
function knownWords(ownWords: readonly string[]): readonly string[] {
  return [...SERVICE_WORDS, ...ownWords.flatMap(wordsOf)];
}

function wordsOf(text: string): readonly string[] {
  return fold(text).match(/\p{L}+/gu) ?? [];
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
