import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { get } from '../../api-client/api.js';
import type { TextKey } from '../translations/en.js';
import { type Translate, useLanguage } from '../translations/i18n.js';
import type { Content } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Details, fromRoot, outside } from '../components/details.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { telephoneAddress } from '../people/telephone-address.js';
import { Link, useRouter } from '../router.js';
import { type ContentKind, describeKind } from './content-kinds.js';

/** The list from which the person opened the item, with its filter and page, or else the list of its kind. */
const listOf = (kind: ContentKind, from = ''): string =>
  from.split('?')[0] === kind ? from : kind;

export function ContentPage({ kind, id }: { kind: ContentKind; id: string }) {
  const { t } = useLanguage();
  const { from } = useRouter();
  const loaded = useLoad(`${kind}/${id}`, (signal) =>
    get<Content>(`/api/v2/content/${kind}/${encodeURIComponent(id)}`, signal),
  );
  const content = loaded.value;
  const download = content?.downloadUrl as string | null | undefined;
  return (
    <Page
      name={content?.label ?? t(`content.${kind}`)}
      list={listOf(kind, from)}
      kind={content && t(`content.${kind}`)}
      lead={content && <Byline content={content} />}
      aside={
        download && (
          <a className="button primary" {...outside(fromRoot(download))}>
            <Download aria-hidden /> {t('content.download')}
            <span className="unseen">({t('opens.window')})</span>
          </a>
        )
      }
    >
      <Ready loaded={loaded}>{(content) => <Body kind={kind} content={content} />}</Ready>
    </Page>
  );
}

function Byline({ content: { author, modificationDate, publicationDate } }: { content: Content }) {
  const { t, day } = useLanguage();
  const date =
    typeof publicationDate === 'string'
      ? t('content.published', { date: day(publicationDate) })
      : t('content.changed', { date: day(modificationDate) });
  if (!author) return <p>{date}</p>;
  const [before, after] = t('content.by', { author: '\n' }).split('\n');
  return (
    <p className="byline">
      {before}
      <Link to={`users/${author.id}`}>{author.label}</Link>
      {after} · {date}
    </p>
  );
}

function Body({ kind, content }: { kind: ContentKind; content: Content }) {
  const language = useLanguage();
  const { texts, facts } = describeKind(kind);
  const shown = texts.map((name) => content[name]).filter((text) => typeof text === 'string');
  return (
    <div className="article">
      {shown.length > 0 && (
        <div className="card">
          {shown.map((text, at) => (
            <p key={at} className={shown.length > 1 && at === 0 ? 'prose summary' : 'prose'}>
              {text}
            </p>
          ))}
        </div>
      )}
      <Details
        details={facts.map((name) => [
          language.t(`field.${name}` as TextKey),
          present(name, content[name], language),
        ])}
      />
    </div>
  );
}

function present(
  name: string,
  value: unknown,
  { day, size }: { t: Translate; day: (text: string) => string; size: (bytes: number) => string },
): ReactNode {
  if (value === null || value === undefined) return null;
  if (name === 'size') return size(value as number);
  const text = value as string;
  if (name === 'endDate') return day(text);
  if (name === 'email') return <a href={`mailto:${text}`}>{text}</a>;
  if (name === 'phoneNumber') return <a href={telephoneAddress(text)}>{text}</a>;
  if (name === 'webSite') return <a {...outside(fromRoot(text))}>{text}</a>;
  return text;
}
