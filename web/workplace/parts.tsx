import { ArrowLeft, CircleAlert, type LucideIcon, SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiProblem, BASE } from '../api-client/api.js';
import { loadPicture } from '../api-client/photo.js';
import type { TextKey } from './texts/en.js';
import { highlight } from './highlight.js';
import { useLanguage } from './i18n.js';
import type { Loaded } from './use-load.js';
import { Link, useRouter } from './router.js';

/** A page: its name goes into the window's title, and the focus to it when it is opened. */
export function Page({
  title,
  name,
  kind,
  lead,
  aside,
  children,
}: {
  title?: TextKey;
  name?: string;
  kind?: string;
  lead?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useLanguage();
  const { path } = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  const text = name ?? t(title!);
  useEffect(() => {
    document.title = text === t('product') ? text : t('page.title', { page: text });
  }, [text, t]);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || !activeElement?.isConnected || hasOpened)
      heading.current?.focus({ preventScroll: true });
    hasOpened = true;
  }, [path]);
  return (
    <main id="main" className="page">
      {path !== '' && (
        <Link to="" className="back">
          <ArrowLeft aria-hidden /> {t('back')}
        </Link>
      )}
      <header className="page-head">
        <div>
          {kind !== undefined && <p className="kind">{kind}</p>}
          <h1 tabIndex={-1} ref={heading}>
            {text}
          </h1>
          {lead !== undefined && <div className="lead">{lead}</div>}
        </div>
        {aside}
      </header>
      {children}
    </main>
  );
}

/** The first page does not take the focus from the browser. */
let hasOpened = false;

/** What was loaded, a refusal, or a sketch of what is to come. */
export function Ready<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (value: T) => ReactNode;
}) {
  const { value, problem, reload } = loaded;
  if (problem) return <Problem problem={problem} onRetry={reload} />;
  return value === undefined ? <Skeleton /> : children(value);
}

export function Skeleton() {
  const { t } = useLanguage();
  return (
    <div className="skeleton" role="status">
      <span className="unseen">{t('loading')}</span>
      {[...'abcdef'].map((key) => (
        <span key={key} className="bone" />
      ))}
    </div>
  );
}

export function Empty({
  icon: Icon,
  title,
  hint,
  children,
}: {
  icon: LucideIcon;
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon aria-hidden />
      </span>
      <p className="empty-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}

export function Problem({ problem, onRetry }: { problem: ApiProblem; onRetry: () => void }) {
  const language = useLanguage();
  return (
    <div role="alert">
      <Empty
        icon={problem.status === 404 ? SearchX : CircleAlert}
        title={language.problem(problem)}
      >
        {problem.status !== 404 && (
          <button className="button" onClick={onRetry}>
            {language.t('retry')}
          </button>
        )}
      </Empty>
    </div>
  );
}

export function MissingPage() {
  const { t } = useLanguage();
  return <Empty icon={SearchX} title={t('problem.404')} />;
}

/** What is wrong with a form, said at once to who listens. */
export function FormProblem({ text }: { text: ReactNode }) {
  return (
    <p role="alert" className="form-problem">
      {text !== undefined && (
        <>
          <CircleAlert aria-hidden /> {text}
        </>
      )}
    </p>
  );
}

/** The server's own words on a field, which are English on a page of any language (WCAG 3.1.2). */
export function Refused({ message }: { message: string }) {
  const [before, after] = useLanguage().t('problem.field', { message: '\0' }).split('\0');
  return (
    <>
      {before}
      <span lang="en">{message}</span>
      {after}
    </>
  );
}

/**
 * A person's picture, fetched with the token in a header and shown from memory.
 * @param onLoad hears whether it is a photo of theirs, or initials that the server draws
 */
export function Photo({
  id,
  size,
  version = 0,
  onLoad,
}: {
  id: string;
  size: number;
  version?: number;
  onLoad?: (isTheirs: boolean) => void;
}) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    let address: string | undefined;
    const show = async () => {
      const { content, isTheirs } = await loadPicture(id, controller.signal);
      address = URL.createObjectURL(content);
      if (controller.signal.aborted) URL.revokeObjectURL(address);
      else {
        setSource(address);
        onLoad?.(isTheirs);
      }
    };
    // Without its picture a person is still there: the empty circle stays.
    show().catch(() => undefined);
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [id, version]);
  const style = { inlineSize: size, blockSize: size };
  return source === undefined ? (
    <span className="photo" style={style} />
  ) : (
    <img className="photo" style={style} src={source} alt="" />
  );
}

export function Highlighted({ text, query }: { text: string; query: string }) {
  return highlight(text, query).map(({ text: part, found }, at) =>
    found ? <mark key={at}>{part}</mark> : part,
  );
}

/** Facts with their names; blank ones are left out. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (known.length === 0) return null;
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Opens an address that came from the API outside of the workplace. */
export const outside = (href: string) => ({
  href: href.startsWith('/') ? BASE + href : href,
  target: '_blank',
  rel: 'noopener noreferrer',
});
