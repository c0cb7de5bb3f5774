import { useEffect, useRef, useState } from 'react';
import { Alert, Box, Button, Stack } from '@mui/material';
import { ImageUp, Trash2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import {
  isNoPicture,
  loadPicture,
  MAX_PHOTO_SIZE,
  PHOTO_TYPES,
  removePhoto,
  storePhoto,
} from '../../api-client/photo.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import type { TextKey } from '../translations/en.js';
import { useAction } from '../api/use-api.js';

const SIZE = 88;

/** A user's photo: looked at, chosen, taken away; without one the initials that the server draws. */
export function PhotoSection({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const file = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState<TextKey>();
  const { data } = useQuery({
    queryKey: ['picture', userId],
    queryFn: ({ signal }) => loadPicture(userId, signal),
  });
  const source = useAddressOf(data?.content);
  const store = async (picture: File | undefined) => {
    if (!picture) return;
    if (picture.size > MAX_PHOTO_SIZE) return setFault('photo.large');
    setFault(undefined);
    await act(
      () => storePhoto(userId, picture),
      texts('photo.stored'),
      (error) => isNoPicture(error) && (setFault('photo.kind'), true),
    );
  };
  const remove = async () => {
    const isDone = await act(() => removePhoto(userId), texts('photo.removed'));
    // The button goes with the photo, and must not take the focus along.
    if (isDone) choose.current?.focus();
  };
  return (
    <Section title={texts('photo')} lead={texts('photo.lead')}>
      {fault && (
        <Alert severity="error" role="alert" sx={{ mb: 2 }}>
          {texts(fault)}
        </Alert>
      )}
      <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Box
          component={source === undefined ? 'span' : 'img'}
          {...(source !== undefined && { src: source, alt: '' })}
          sx={{
            width: SIZE,
            height: SIZE,
            borderRadius: '50%',
            objectFit: 'cover',
            bgcolor: 'action.hover',
          }}
        />
        <Button
          ref={choose}
          variant="outlined"
          startIcon={<ImageUp size={17} aria-hidden />}
          onClick={() => file.current?.click()}
        >
          {texts('photo.choose')}
        </Button>
        {data?.isTheirs && (
          <Button
            color="error"
            startIcon={<Trash2 size={17} aria-hidden />}
            onClick={() => void remove()}
          >
            {texts('photo.remove')}
          </Button>
        )}
        <input
          ref={file}
          hidden
          type="file"
          accept={PHOTO_TYPES}
          aria-label={texts('photo.choose')}
          onChange={({ target }) => {
            void store(target.files?.[0]);
            target.value = '';
          }}
        />
      </Stack>
    </Section>
  );
}

/** Where an image element finds what is in memory. */
function useAddressOf(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!content) return;
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address;
}
