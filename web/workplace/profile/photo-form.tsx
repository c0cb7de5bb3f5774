import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  isNoPicture,
  MAX_PHOTO_SIZE,
  PHOTO_TYPES,
  removePhoto,
  storePhoto,
} from '../../api-client/photo.js';
import { useLanguage } from '../translations/i18n.js';
import { FormProblem } from '../components/form-problem.js';
import { Photo } from '../components/photo.js';
import { useToast } from '../components/toast.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

export function PhotoForm() {
  const { t, problem: explain } = useLanguage();
  const { me, reload } = useMe();
  const toast = useToast();
  const file = useRef<HTMLInputElement>(null);
  const [version, setVersion] = useState(0);
  const [hasPhoto, setHasPhoto] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);
  const { isBusy, problem, run } = useAction();
  const changed = () => {
    setVersion((last) => last + 1);
    toast({ text: t('saved') });
    reload();
  };
  const store = (picture: File | undefined) => {
    if (!picture) return;
    setTooLarge(picture.size > MAX_PHOTO_SIZE);
    if (picture.size > MAX_PHOTO_SIZE) return;
    void run(async () => {
      await storePhoto(me.id, picture);
      changed();
    });
  };
  const remove = () =>
    void run(async () => {
      await removePhoto(me.id);
      changed();
      // The button goes with the photo, and must not take the focus along.
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    });
  const text = isTooLarge
    ? t('profile.photo.large')
    : isNoPicture(problem)
      ? t('profile.photo.kind')
      : problem && explain(problem);
  return (
    <section className="card photo-form" aria-label={t('profile.photo')}>
      <Photo id={me.id} size={96} version={version} onLoad={setHasPhoto} />
      <div>
        <h2>{t('profile.photo')}</h2>
        <p className="hint">{t('profile.photo.hint')}</p>
        <FormProblem text={text} />
        <input
          ref={file}
          type="file"
          accept={PHOTO_TYPES}
          hidden
          aria-label={t('profile.photo.choose')}
          onChange={({ target }) => {
            store(target.files?.[0]);
            target.value = '';
          }}
        />
        <div className="buttons">
          <button className="button" disabled={isBusy} onClick={() => file.current?.click()}>
            <ImageUp aria-hidden /> {t('profile.photo.choose')}
          </button>
          {hasPhoto && (
            <button className="button" disabled={isBusy} onClick={remove}>
              <Trash2 aria-hidden /> {t('profile.photo.remove')}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
