import { Download, FileUp, Paperclip, Trash2 } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { type ApiProblem, bodyOf, get, query, send } from '../../api-client/api.js';
import type { Task, TaskFile } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { Link } from '../router.js';
import { translate } from '../../server-messages/translate.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

const KIBIBYTE = 1024;

/** The files of a task. People add files to an open one by a button or by dropping them. */
export function Files({ task, changed }: { task: Task; changed: () => Promise<void> }) {
  const { t } = useLanguage();
  const path = `/api/v2${task.uri}/files`;
  const { value, reload } = useLoad(`${path} ${task.modificationDate}`, (signal) =>
    get<TaskFile[]>(`${path}?range=0-500`, signal),
  );
  const { sending, failed, run } = useTransfers(async () => {
    reload();
    await changed();
  });
  const [isOver, setOver] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = task.status === 'open';
  const add = (files: FileList | null) => {
    for (const file of files ?? [])
      void run(file.name, () =>
        send(path + query({ name: file.name }), {
          method: 'POST',
          body: file,
          headers: { 'Content-Type': 'application/octet-stream' },
        }),
      );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  if (!isOpen && !value?.length) return null;
  return (
    <section
      className={isOver ? 'card dropping' : 'card'}
      aria-label={t('files')}
      onDragOver={(event) => {
        if (!isOpen) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={isOpen ? drop : undefined}
    >
      <h2 ref={heading} tabIndex={-1}>
        {t('files')}
      </h2>
      <FormProblem
        text={
          failed.length > 0 ? (
            <span className="failed-files">
              {failed.map((one, at) => (
                <Problem key={at} {...one} />
              ))}
            </span>
          ) : undefined
        }
      />
      {value && value.length > 0 && (
        <ul className="history files">
          {value.map((file) => (
            <li key={file.id}>
              <Entry path={path} file={file} run={run} removed={() => heading.current?.focus()} />
            </li>
          ))}
        </ul>
      )}
      {sending.map((name, at) => (
        <p key={at} role="status">
          {t('files.sending', { name })} <progress aria-label={name} />
        </p>
      ))}
      {isOpen && <AddButton add={add} />}
    </section>
  );
}

/** Runs a transfer; the name is that of a file that it changes, and undefined where it only reads. */
type Run = (name: string | undefined, transfer: () => Promise<unknown>) => Promise<void>;

function Entry({
  path,
  file,
  run,
  removed,
}: {
  path: string;
  file: TaskFile;
  run: Run;
  /** The pressed button has disappeared with its file. */
  removed: () => void;
}) {
  const { t, moment } = useLanguage();
  const { me } = useMe();
  return (
    <>
      <Paperclip aria-hidden /> <strong>{file.name}</strong>{' '}
      <small className="muted">
        <Size bytes={file.size} />
        {' · '}
        {file.author && (
          <>
            <Link to={`users/${file.author.id}`}>{file.author.label}</Link>
            {' · '}
          </>
        )}
        {moment(file.creationDate)}
      </small>
      <span className="buttons">
        <button
          className="button small"
          aria-label={t('files.download.of', { name: file.name })}
          onClick={() => void run(undefined, () => download(path, file))}
        >
          <Download aria-hidden /> {t('files.download')}
        </button>
        {(file.author?.id === me.id || me.administrator) && (
          <button
            className="button small"
            aria-label={t('files.delete.of', { name: file.name })}
            onClick={() =>
              void run(file.name, () =>
                send(`${path}/${file.id}`, { method: 'DELETE' }).then(removed),
              )
            }
          >
            <Trash2 aria-hidden /> {t('files.delete')}
          </button>
        )}
      </span>
    </>
  );
}

/** A failed transfer, and the name of its file. */
interface Failed {
  name: string | undefined;
  problem: ApiProblem;
}

/**
 * The running, waiting and failed transfers since the person last began one. Changes run one after another, because the
 * server accepts few files of a person at once.
 */
function useTransfers(changed: () => Promise<void>) {
  const [sending, setSending] = useState<string[]>([]);
  const [failed, setFailed] = useState<Failed[]>([]);
  const last = useRef(Promise.resolve());
  const attempt = async (name: string | undefined, transfer: () => Promise<unknown>) => {
    try {
      await transfer();
    } catch (error) {
      const problem = toProblem(error);
      setFailed((all) => [...all, { name, problem }]);
    }
  };
  const run: Run = (name, transfer) => {
    setFailed([]);
    if (name === undefined) return attempt(name, transfer);
    setSending((all) => [...all, name]);
    last.current = last.current
      .catch(() => undefined)
      .then(async () => {
        await attempt(name, transfer);
        setSending((all) => all.filter((_, at) => at !== all.indexOf(name)));
        await changed();
      });
    return last.current;
  };
  return { sending, failed, run };
}

function AddButton({ add }: { add: (files: FileList | null) => void }) {
  const { t } = useLanguage();
  const id = useId();
  return (
    <p className="add-file">
      <input
        id={id}
        type="file"
        multiple
        className="unseen"
        onChange={({ target }) => {
          add(target.files);
          target.value = '';
        }}
      />
      <label htmlFor={id} className="button">
        <FileUp aria-hidden /> {t('files.add')}
      </label>{' '}
      <small className="muted drop-hint">{t('files.drop')}</small>
    </p>
  );
}

function Problem({ name, problem }: Failed) {
  const { locale, problem: explain } = useLanguage();
  const [fault] = problem.fields ?? [];
  // The server's refusals have a reason that people understand.
  const said =
    [403, 409, 413, 429].includes(problem.status) &&
    (translate(problem, locale) ?? problem.message);
  return (
    <span>
      {name !== undefined && <strong>{name}</strong>}{' '}
      {fault ? <ServerMessage fault={fault} /> : said || explain(problem)}
    </span>
  );
}

function Size({ bytes }: { bytes: number }) {
  const { locale } = useLanguage();
  const units = ['B', 'KiB', 'MiB'];
  const power = bytes < KIBIBYTE ? 0 : bytes < KIBIBYTE ** 2 ? 1 : 2;
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return `${size.format(bytes / KIBIBYTE ** power)} ${units[power]}`;
}

/** The token is in a header, so the page fetches the file and hands it to the browser. */
async function download(path: string, { id, name }: TaskFile): Promise<void> {
  const content = await bodyOf(await send(`${path}/${id}`), (answer) => answer.blob());
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
