import sharp from 'sharp';

const SIZE = 256;

const BACKGROUNDS = ['#c7d8f0', '#d5e8d4', '#f3dcc4', '#e4d7ee', '#cfe6e6', '#f2d6d6', '#e6e2cf'];
const SKINS = ['#f6d5bd', '#eebf9f', '#f1c9a8', '#d9a178', '#b97a50', '#8a5535'];
const HAIRS = ['#2a211c', '#4b3325', '#7a4f2c', '#b07a3e', '#d9b36a', '#8d3f23', '#a7a29b'];
const CLOTHES = ['#28415f', '#6b2f3c', '#2f5d4f', '#54497a', '#8a5a2b', '#3b3f46', '#1f6f8b'];

/** Hair behind the head. */
const BACK_HAIR = {
  woman: [
    'M70 118c0-50 24-74 58-74s58 24 58 74v72H70z',
    'M74 112c0-46 22-68 54-68s54 22 54 68v34c0 14-14 20-22 20H96c-8 0-22-6-22-20z',
    'M128 12a26 26 0 1 1-.1 0zM78 110c0-42 20-64 50-64s50 22 50 64z',
  ],
  man: [''],
};

/** Hair over the forehead. */
const FRONT_HAIR = {
  woman: [
    'M80 112c-2-40 18-62 48-62s50 22 48 62c-6-26-20-38-40-40-22 12-48 14-56 40z',
    'M80 110c0-40 20-60 48-60s48 20 48 60c-10-14-16-24-18-30-26 10-58 8-78 30z',
  ],
  man: [
    'M80 108c-6-40 18-60 48-60s54 20 48 60c-4-16-8-24-14-30-22 6-50 6-68 0-6 6-10 14-14 30z',
    'M80 104c-2-40 22-58 52-58 28 0 46 20 44 58-6-18-10-24-18-30-20 2-42-2-56-8-10 8-18 20-22 38z',
    'M82 92c4-26 22-40 46-40s42 14 46 40c-12-16-28-22-46-22s-34 6-46 22z',
  ],
};

const GLASSES =
  '<g fill="none" stroke="#33363c" stroke-width="3"><circle cx="109" cy="116" r="13"/><circle cx="147" cy="116" r="13"/><path d="M122 114q6-4 12 0"/></g>';
const BEARD =
  'M82 124c2 44 22 62 46 62s44-18 46-62c-6 18-14 26-22 26-6-6-42-6-48 0-8 0-16-8-22-26z';

/** A number of 32 bits from a text (FNV-1a), so that a person always has the same portrait. */
const seedOf = (text: string): number =>
  [...text].reduce(
    (seed, letter) => Math.imul(seed ^ letter.codePointAt(0)!, 16_777_619),
    2_166_136_261,
  ) >>> 0;

/** Draws a person as an SVG of head and shoulders; the text alone decides on colours and features. */
export function drawPortrait(login: string, kind: 'woman' | 'man'): string {
  let state = seedOf(login);
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const pick = (choices: string[]): string => choices[below(choices.length)]!;
  const background = pick(BACKGROUNDS);
  const skin = pick(SKINS);
  // Fair hair goes with fair skin only.
  const hair = pick(SKINS.indexOf(skin) < 3 ? HAIRS : HAIRS.slice(0, 2));
  const clothes = pick(CLOTHES);
  const back = pick(BACK_HAIR[kind]);
  const front = pick(FRONT_HAIR[kind]);
  const bearded = kind === 'man' && below(3) === 0;
  const brows = 98 + below(6);
  const smile = 8 + below(9);
  const glasses = below(4) === 0 ? GLASSES : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 256 256">
<rect width="256" height="256" fill="${background}"/>
<path d="${back}" fill="${hair}"/>
<path d="M28 256c4-48 44-66 100-66s96 18 100 66z" fill="${clothes}"/>
<path d="M108 160h40v30c0 22-40 22-40 0z" fill="${skin}"/>
<path d="M108 172c12 12 28 12 40 0v10c-12 12-28 12-40 0z" fill="#000" opacity=".12"/>
<circle cx="80" cy="122" r="9" fill="${skin}"/><circle cx="176" cy="122" r="9" fill="${skin}"/>
<path d="M80 108c0-34 20-54 48-54s48 20 48 54v14c0 34-20 58-48 58s-48-24-48-58z" fill="${skin}"/>
${bearded ? `<path d="${BEARD}" fill="${hair}"/>` : ''}
<path d="${front}" fill="${hair}"/>
<g fill="#2b2622"><circle cx="109" cy="117" r="4.5"/><circle cx="147" cy="117" r="4.5"/></g>
<g fill="none" stroke="${hair}" stroke-width="4" stroke-linecap="round"><path d="M100 ${brows}q9-5 18 0"/><path d="M138 ${brows}q9-5 18 0"/></g>
<path d="M128 122v14q-2 5-7 4" fill="none" stroke="#000" stroke-width="3" opacity=".2" stroke-linecap="round"/>
<path d="M112 152q16 ${smile} 32 0" fill="none" stroke="#8f3f3a" stroke-width="4" stroke-linecap="round"/>
${glasses}
</svg>`;
}

/** The portrait as the server stores photos: a square WebP. */
export const encodePortrait = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).webp({ quality: 82 }).toBuffer();
