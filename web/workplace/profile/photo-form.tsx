import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { PhotoInput } from '../../account/photo-input.js';
import { usePhoto } from '../../account/use-photo.js';
import { useLanguage } from '../translations/i18n.js';
import { FormProblem } from '../components/form-problem.js';
import { Photo } from '../components/photo.js';
import { useMe } from '../workplace-context.js';
import { useAction } from './use-action.js';

export function PhotoForm() {
  const { t, problem: explain } = useLanguage();
  const { me, reload } = useMe();
  const field = useRef<HTMLInputElement>(null);
  const [version, setVersion] = useState(0);
  const [hasPhoto, setHasPhoto] = useState(false);
  const { isBusy, problem, run } = useAction();
  const { fault, store, remove } = usePhoto(me.id, run);
  const changed = () => {
    setVersion((last) => last + 1);
    reload();
  };
  const storePicture = async (picture: File) => {
    if (await store(picture, t('saved'))) changed();
  };
  const removePicture = async () => {
    if (!(await remove(t('saved')))) return;
    changed();
    // The button goes with the photo, and must not take the focus along.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  };
  const text = fault === undefined ? problem && explain(problem) : t(`profile.photo.${fault}`);
  return (
    <section className="card photo-form" aria-label={t('profile.photo')}>
      <Photo id={me.id} size={96} version={version} onLoad={setHasPhoto} />
      <div>
        <h2>{t('profile.photo')}</h2>
        <p className="hint">{t('profile.photo.hint')}</p>
        <FormProblem text={text} />
        <PhotoInput
          field={field}
          label={t('profile.photo.choose')}
          onChosen={(picture) => void storePicture(picture)}
        />
        <div className="buttons">
          <button className="button" disabled={isBusy} onClick={() => field.current?.click()}>
            <ImageUp aria-hidden /> {t('profile.photo.choose')}
          </button>
          {hasPhoto && (
            <button className="button" disabled={isBusy} onClick={() => void removePicture()}>
              <Trash2 aria-hidden /> {t('profile.photo.remove')}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
