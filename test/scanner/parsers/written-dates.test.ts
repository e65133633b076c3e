import t from 'tap';
import { DATE_NAMES } from '../../../src/scanner/parsers/structured-data/month-names.js';
import { countDates } from '../../../src/scanner/parsers/structured-data/written-dates.js';

type Row = readonly [text: string, language?: string | null];

/** The rows that do not mean so many dates. */
const othersThan = (count: number | null, rows: readonly Row[]) =>
  rows.filter(([text, language = 'en']) => countDates(text, language) !== count);

t.test('dates in words, by their English names and those of the page', async (t) => {
  t.same(
    othersThan(1, [
      ['7 January 2020'],
      ['January 7, 2020'],
      ['Jan. 7th, 2020'],
      ['7-Jan-2020'],
      ['2026 March 5'],
      ['the 1st of May 2026'],
      ['January 2020'],
      ['TUESDAY, 7 JANUARY 2020'],
      ['29 February 2024'],
      ['7 January 2020', 'de'],
      ['7 January 2020', 'zh'],
      ['7. Januar 2020', 'de'],
      ['Dienstag, 7. März 2020', 'de'],
      ['1er août 2026', 'fr'],
      ['mar. 7 janvier 2020', 'fr'],
      ['7 d’abril de 2026', 'ca'],
      ['7 de marzo del 2026', 'es'],
      ['segunda-feira, 1º de março de 2026', 'pt'],
      ['7 maja 2026', 'pl'],
      ['7 мая 2026 г.', 'ru'],
      ['7 МАЙ 2026', 'ru'],
      ['7 Mayıs 2026', 'tr'],
      ['7 ΜΑΡΤΙΟΥ 2026', 'el'],
      ['7. toukokuuta 2026', 'fi'],
      ['7. mai 2026', 'no'],
      ['7. Januar 2020', null],
    ]),
    [],
  );
  t.same(
    othersThan(null, [
      ['7. Januar 2020', 'en'],
      ['7 mayo 2026', 'de'],
      ['7 January'],
      ['January 7, 20'],
      ['7 8 January 2020'],
      ['7 January 2020 - 9 January 2020'],
      ['7 January February 2020'],
      ['soon, in January 2020'],
      ['posted 7 January 2020'],
      ['spring 2026'],
      ['2026'],
      [''],
      [`7 January 2020${' '.repeat(100)}`],
    ]),
    [],
  );
  t.same(
    othersThan(0, [['30 February 2026'], ['31 April 2026'], ['0 May 2026'], ['29 February 2023'], ['2026 June 31']]),
    [],
  );
  // October in Croatian, November in Polish and Czech: which of them, the page does not say.
  t.same(othersThan(2, [['7 listopada 2026', null]]), []);
  t.same(othersThan(1, [['7 listopada 2026', 'hr']]), []);
});

t.test('dates in words with a time and a zone', async (t) => {
  t.same(
    othersThan(1, [
      ['Tue, 07 Jan 2020 10:00:00 GMT'],
      ['Tue, 7 Jan 2020 10:00 +0100'],
      ['Tue Jan  7 10:00:00 2020'],
      ['Tue Jan 7 10:00:00 UTC 2020'],
      ['Tue Jan 07 2020 10:00:00 GMT+0100 (Central European Standard Time)'],
      ['January 7, 2020 at 10:30 pm EST'],
      ['January 7, 2020, 10 a.m.'],
      ['7 janvier 2020 à 10h30', 'fr'],
      ['7. Januar 2020, 10:00 Uhr', 'de'],
      ['7 January 2020 24:00'],
      ['13/04/2026 10:00'],
    ]),
    [],
  );
  t.same(
    othersThan(0, [
      ['7 January 2020 25:00'],
      ['7 January 2020 10:60'],
      ['7 January 2020 13 pm'],
      ['13/04/2026 0:00 am'],
    ]),
    [],
  );
  t.same(othersThan(null, [['7 January 2020 10:00 10:00'], ['7 January 2020 10:00 on Mars'], ['10:00']]), []);
});

t.test('dates in numbers', async (t) => {
  t.same(
    othersThan(1, [
      ['13/04/2026'],
      ['04/13/2026'],
      ['13.4.2026'],
      ['13. 4. 2026.'],
      ['5-5-2026'],
      ['04/2026'],
      ['2026-4-3'],
      ['2026/4/3'],
      ['2026. 4. 3.'],
      ['2026年5月1日'],
      ['2026년 5월 1일'],
      ['2026年5月'],
    ]),
    [],
  );
  t.same(othersThan(2, [['03/04/2026'], ['3.4.2026'], ['12-11-2026']]), []);
  t.same(
    othersThan(0, [['13/13/2026'], ['30/02/2026'], ['00/05/2026'], ['13/2026'], ['2026-2-30'], ['2026年13月1日']]),
    [],
  );
  t.same(
    othersThan(null, [['03/04/26'], ['13/04-2026'], ['1/2/3/2026'], ['1700000000'], ['2026-W10-4'], ['2026/2027']]),
    [],
  );
});

t.test('each language has twelve months and no name twice', async (t) => {
  for (const [language, { months }] of Object.entries(DATE_NAMES)) {
    t.equal(months.split(' ').length, 12, language);
    const forms = months.split(/[ /]/);
    t.equal(new Set(forms).size, forms.length, language);
    for (const [index, names] of months.split(' ').entries()) {
      for (const name of names.split('/')) {
        t.equal(countDates(`${name} 2026`, language), 1, `${language}: ${index + 1} is ${name}`);
      }
    }
  }
});

t.test('in a language whose months we do not know, words next to a year are taken for one date', async (t) => {
  for (const [text, language] of [
    ['7 يناير 2020', 'ar'],
    ['٧ يناير ٢٠٢٠', 'ar'],
    ['7 มกราคม 2020', 'th'],
    ['7. јануар 2020', 'sr'],
    ['7 tháng 1, 2020', 'vi'],
  ] as const) {
    t.equal(countDates(text, language), 1, text);
    t.equal(countDates(text, 'de'), null, `${text}, on a page in German`);
  }
  t.equal(countDates('sometime soon', 'ar'), null, 'there is no year');
  t.equal(countDates('03/04/2026', 'ar'), 2, 'numbers are read as ever');
});
