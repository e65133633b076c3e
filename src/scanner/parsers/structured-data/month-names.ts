/**
 * The names of months (twelve, in order, other forms of one behind a slash) and of weekdays, in the languages in which dates are read. From
 * CLDR 48 (Intl of Node 24), long and short, alone and next to a day, with a few more that people write. They are kept here since Intl's
 * differ from one version of Node to the next.
 */
export const DATE_NAMES: Readonly<Record<string, { readonly months: string; readonly weekdays: string }>> = {
  bg: {
    months: 'януари февруари март април май юни юли август септември октомври ноември декември',
    weekdays: 'понеделник пн вторник вт сряда ср четвъртък чт петък пт събота сб неделя нд',
  },
  ca: {
    months:
      'gener/gen febrer/febr març abril/abr maig juny juliol/jul agost/ag setembre/set octubre/oct novembre/nov desembre/des',
    weekdays: 'dilluns dl dimarts dt dimecres dc dijous dj divendres dv dissabte ds diumenge dg',
  },
  cs: {
    months:
      'ledna/leden/led února/únor/úno března/březen/bře dubna/duben/dub května/květen/kvě června/červen/čvn července/červenec/čvc srpna/srpen/srp září/zář října/říjen/říj listopadu/listopad/lis prosince/prosinec/pro',
    weekdays: 'pondělí po úterý út středa st čtvrtek čt pátek pá sobota so neděle ne',
  },
  da: {
    months:
      'januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sep oktober/okt november/nov december/dec',
    weekdays: 'mandag man tirsdag tirs onsdag ons torsdag tors fredag fre lørdag lør søndag søn',
  },
  de: {
    months:
      'januar/jan/jänner februar/feb märz/mär/maerz/mrz april/apr mai juni/jun juli/jul august/aug september/sept/sep oktober/okt november/nov dezember/dez',
    weekdays: 'montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonntag so',
  },
  el: {
    months:
      'ιανουαρίου/ιανουάριος/ιαν φεβρουαρίου/φεβρουάριος/φεβ μαρτίου/μάρτιος/μαρ απριλίου/απρίλιος/απρ μαΐου/μάιος/μαΐ ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος/αυγ σεπτεμβρίου/σεπτέμβριος/σεπ οκτωβρίου/οκτώβριος/οκτ νοεμβρίου/νοέμβριος/νοε δεκεμβρίου/δεκέμβριος/δεκ',
    weekdays: 'δευτέρα δευ τρίτη τρί τετάρτη τετ πέμπτη πέμ παρασκευή παρ σάββατο σάβ κυριακή κυρ',
  },
  en: {
    months:
      'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
    weekdays: 'monday mon tuesday tue wednesday wed thursday thu friday fri saturday sat sunday sun',
  },
  es: {
    months:
      'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sept/sep/set/setiembre octubre/oct noviembre/nov diciembre/dic',
    weekdays: 'lunes lun martes mar miércoles mié jueves jue viernes vie sábado sáb domingo dom',
  },
  et: {
    months:
      'jaanuar/jaan veebruar/veebr märts aprill/apr mai juuni juuli august/aug september/sept oktoober/okt november/nov detsember/dets',
    weekdays: 'esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev',
  },
  fi: {
    months:
      'tammikuuta/tammikuu/tammi helmikuuta/helmikuu/helmi maaliskuuta/maaliskuu/maalis huhtikuuta/huhtikuu/huhti toukokuuta/toukokuu/touko kesäkuuta/kesäkuu/kesä heinäkuuta/heinäkuu/heinä elokuuta/elokuu/elo syyskuuta/syyskuu/syys lokakuuta/lokakuu/loka marraskuuta/marraskuu/marras joulukuuta/joulukuu/joulu',
    weekdays: 'maanantai ma tiistai ti keskiviikko ke torstai to perjantai pe lauantai la sunnuntai su',
  },
  fr: {
    months:
      'janvier/janv février/févr mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov décembre/déc',
    weekdays: 'lundi lun mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim',
  },
  hr: {
    months:
      'siječnja/siječanj/sij veljače/veljača/velj ožujka/ožujak/ožu travnja/travanj/tra svibnja/svibanj/svi lipnja/lipanj/lip srpnja/srpanj/srp kolovoza/kolovoz/kol rujna/rujan/ruj listopada/listopad/lis studenoga/studeni/stu prosinca/prosinac/pro',
    weekdays: 'ponedjeljak pon utorak uto srijeda sri četvrtak čet petak pet subota sub nedjelja ned',
  },
  hu: {
    months:
      'január/jan február/febr március/márc április/ápr május/máj június/jún július/júl augusztus/aug szeptember/szept október/okt november/nov december/dec',
    weekdays: 'hétfő kedd szerda sze csütörtök cs péntek szombat szo vasárnap',
  },
  id: {
    months:
      'januari/jan februari/feb maret/mar april/apr mei juni/jun juli/jul agustus/agu september/sep oktober/okt november/nov desember/des',
    weekdays: 'senin sen selasa sel rabu rab kamis kam jumat jum sabtu sab minggu min',
  },
  it: {
    months:
      'gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/set ottobre/ott novembre/nov dicembre/dic',
    weekdays: 'lunedì lun martedì mar mercoledì mer giovedì gio venerdì ven sabato sab domenica dom',
  },
  lt: {
    months:
      'sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis liepos/liepa rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis',
    weekdays:
      'pirmadienis pr antradienis an trečiadienis tr ketvirtadienis kt penktadienis pn šeštadienis št sekmadienis sk',
  },
  lv: {
    months:
      'janvāris/janv februāris/febr marts aprīlis/apr maijs jūnijs/jūn jūlijs/jūl augusts/aug septembris/sept oktobris/okt novembris/nov decembris/dec',
    weekdays:
      'pirmdiena pirmd otrdiena otrd trešdiena trešd ceturtdiena ceturtd piektdiena piektd sestdiena sestd svētdiena svētd',
  },
  nb: {
    months:
      'januar/jan februar/feb mars/mar april/apr mai juni/jun juli/jul august/aug september/sep oktober/okt november/nov desember/des',
    weekdays: 'mandag man tirsdag tir onsdag ons torsdag tor fredag fre lørdag lør søndag søn',
  },
  nl: {
    months:
      'januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep oktober/okt november/nov december/dec',
    weekdays: 'maandag ma dinsdag di woensdag wo donderdag do vrijdag vr zaterdag za zondag zo',
  },
  pl: {
    months:
      'stycznia/styczeń/sty lutego/luty/lut marca/marzec/mar kwietnia/kwiecień/kwi maja/maj czerwca/czerwiec/cze lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz października/październik/paź listopada/listopad/lis grudnia/grudzień/gru',
    weekdays: 'poniedziałek pon wtorek wt środa śr czwartek czw piątek pt sobota sob niedziela niedz',
  },
  pt: {
    months:
      'janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez',
    weekdays: 'segunda feira seg terça ter quarta qua quinta qui sexta sex sábado sáb domingo dom',
  },
  ro: {
    months:
      'ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug septembrie/sept octombrie/oct noiembrie/nov decembrie/dec',
    weekdays: 'luni lun marți mar miercuri mie joi vineri vin sâmbătă sâm duminică dum',
  },
  ru: {
    months:
      'января/январь/янв февраля/февраль/февр марта/март/мар апреля/апрель/апр мая/май июня/июнь/июн июля/июль/июл августа/август/авг сентября/сентябрь/сент октября/октябрь/окт ноября/ноябрь/нояб декабря/декабрь/дек',
    weekdays: 'понедельник пн вторник вт среда ср четверг чт пятница пт суббота сб воскресенье вс',
  },
  sk: {
    months:
      'januára/január/jan februára/február/feb marca/marec/mar apríla/apríl/apr mája/máj júna/jún júla/júl augusta/august/aug septembra/september/sep októbra/október/okt novembra/november/nov decembra/december/dec',
    weekdays: 'pondelok po utorok ut streda st štvrtok št piatok pi sobota so nedeľa ne',
  },
  sl: {
    months:
      'januar/jan februar/feb marec/mar april/apr maj junij/jun julij/jul avgust/avg september/sep oktober/okt november/nov december/dec',
    weekdays: 'ponedeljek pon torek tor sreda sre četrtek čet petek pet sobota sob nedelja ned',
  },
  sv: {
    months:
      'januari/jan februari/feb mars april/apr maj juni juli augusti/aug september/sep oktober/okt november/nov december/dec',
    weekdays: 'måndag mån tisdag tis onsdag ons torsdag tors fredag fre lördag lör söndag sön',
  },
  tr: {
    months:
      'ocak/oca şubat/şub mart/mar nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki kasım/kas aralık/ara',
    weekdays: 'pazartesi pzt salı sal çarşamba çar perşembe per cuma cum cumartesi cmt pazar paz',
  },
  uk: {
    months:
      'січня/січень/січ лютого/лютий/лют березня/березень/бер квітня/квітень/квіт травня/травень/трав червня/червень/черв липня/липень/лип серпня/серпень/серп вересня/вересень/вер жовтня/жовтень/жовт листопада/листопад/лист грудня/грудень/груд',
    weekdays: 'понеділок пн вівторок вт середа ср четвер чт пʼятниця пт субота сб неділя нд',
  },
};
