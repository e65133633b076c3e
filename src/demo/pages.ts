/** A piece of a page, written once and rendered as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** One page of the demonstration site. Its texts hold no markup. */
export interface DemoPage {
  readonly path: string;
  /** In the menu, and in llms.txt. */
  readonly label: string;
  readonly title: string;
  readonly summary: string;
  readonly blocks: readonly Block[];
}

export const SITE_NAME = 'Harbour Bakery';
export const SITE_SUMMARY =
  'A small sourdough bakery by the harbour: what we bake, when we are open, and how to order.';

/** When the texts were last written. */
export const CHANGED_ON = '2025-03-02';

export const OPENING_HOURS = [
  { days: 'Tuesday to Friday', opens: '07:00', closes: '17:00' },
  { days: 'Saturday', opens: '08:00', closes: '14:00' },
] as const;

export const QUESTIONS = [
  {
    question: 'Do you bake without gluten?',
    answer: 'No. Our kitchen works with wheat and rye all day, so we cannot promise bread without traces of gluten.',
  },
  {
    question: 'How do I order a cake?',
    answer: 'Tell us two days ahead, in the shop or by telephone. We need the number of guests and the day.',
  },
  {
    question: 'Can I freeze the bread?',
    answer: 'Yes. Slice it on the first day, freeze it, and toast the slices straight from the freezer.',
  },
] as const;

const heading = (text: string): Block => ({ kind: 'heading', text });
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const list = (...items: readonly string[]): Block => ({ kind: 'list', items });

export const PAGES: readonly [DemoPage, ...DemoPage[]] = [
  {
    path: '/',
    label: 'Home',
    title: SITE_NAME,
    summary: SITE_SUMMARY,
    blocks: [
      paragraph(
        'Harbour Bakery bakes sourdough bread, rye and a few cakes in a brick oven by the harbour. Three people work here, ' +
          'and the first loaves leave the oven at six in the morning.',
      ),
      heading('Opening hours'),
      list(
        ...OPENING_HOURS.map(({ days, opens, closes }) => `${days}: ${opens} to ${closes}`),
        'Sunday and Monday: closed',
      ),
      heading('What we bake'),
      list(
        'Harbour loaf: wheat sourdough with a dark crust, 750 g',
        'Sailor’s rye: whole rye with sunflower seeds, 1 kg',
        'Cardamom buns: on Fridays and Saturdays, while they last',
      ),
    ],
  },
  {
    path: '/guide',
    label: 'Guide',
    title: 'How to keep sourdough bread fresh',
    summary: 'Three simple rules that keep a sourdough loaf good for a week.',
    blocks: [
      paragraph(
        'A sourdough loaf keeps for a week when it is treated well. Its acid slows mould, and its crust holds the moisture in. ' +
          'These three rules are all that it needs.',
      ),
      heading('On the first day'),
      paragraph(
        'Leave the bread to stand on its cut side, uncovered. The crust stays crisp, and the crumb does not dry out.',
      ),
      heading('From the second day'),
      paragraph(
        'Wrap the loaf in a cotton cloth and put it in a wooden box or a clay pot. Plastic makes the crust soft.',
      ),
      heading('After the fourth day'),
      paragraph(
        'Sprinkle the loaf with water and bake it for ten minutes at 180 degrees. It will taste nearly like new.',
      ),
    ],
  },
  {
    path: '/about',
    label: 'About us',
    title: 'About Harbour Bakery',
    summary: 'Who we are, and why we bake the way we do.',
    blocks: [
      paragraph(
        'We took over the old bakery by the harbour in 2012. The oven is older than all of us; the sourdough is from our first ' +
          'week and is fed every evening at nine.',
      ),
      paragraph(
        'Our flour comes from two mills within an hour’s drive. We know both millers, and they know our bread.',
      ),
      heading('For agents'),
      paragraph(
        'Every page also comes as Markdown. Our opening hours can be asked for over HTTP, by the Model Context Protocol and by ' +
          'the Agent2Agent protocol.',
      ),
    ],
  },
  {
    path: '/faq',
    label: 'Questions',
    title: 'Questions and answers',
    summary: 'What guests of the bakery ask us most.',
    blocks: QUESTIONS.flatMap(({ question, answer }) => [heading(question), paragraph(answer)]),
  },
];
