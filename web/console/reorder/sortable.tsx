import type { ReactNode } from 'react';
import { Box, IconButton } from '@mui/material';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import { useTexts } from '../translations/i18n.js';

export interface Sortable {
  id: string;
  label: string;
}

/**
 * A list that people reorder by dragging: by pointer, by touch, or by keyboard (space or enter picks up an item, arrows
 * move it, space drops it, escape cancels).
 */
export function SortableList<T extends Sortable>({
  items,
  onOrder,
  children,
  isGrid = false,
}: {
  items: T[];
  onOrder: (items: T[]) => void;
  children: (item: T) => ReactNode;
  isGrid?: boolean;
}) {
  const texts = useTexts();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const at = (id: unknown): number => items.findIndex((item) => item.id === id);
  const name = (id: unknown): string => items[at(id)]?.label ?? '';
  const end = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onOrder(arrayMove(items, at(active.id), at(over.id)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        screenReaderInstructions: { draggable: texts('reorder.keys') },
        announcements: {
          onDragStart: ({ active }) => texts('reorder.taken', { label: name(active.id) }),
          onDragOver: ({ active, over }) =>
            texts('reorder.over', { label: name(active.id), place: at(over?.id) + 1 }),
          onDragEnd: ({ active, over }) =>
            texts('reorder.dropped', { label: name(active.id), place: at(over?.id) + 1 }),
          onDragCancel: ({ active }) => texts('reorder.cancelled', { label: name(active.id) }),
        },
      }}
    >
      <SortableContext items={items} strategy={rectSortingStrategy}>
        <Box
          component="ul"
          sx={
            isGrid
              ? {
                  p: 0,
                  display: 'grid',
                  gap: 1.25,
                  gridTemplateColumns: 'repeat(auto-fill, minmax(min(16rem, 100%), 1fr))',
                }
              : { p: 0 }
          }
        >
          {items.map((item) => (
            <SortableItem key={item.id} item={item}>
              {children(item)}
            </SortableItem>
          ))}
        </Box>
      </SortableContext>
    </DndContext>
  );
}

function SortableItem({ item, children }: { item: Sortable; children: ReactNode }) {
  const texts = useTexts();
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({ id: item.id });
  return (
    <Box
      component="li"
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        position: 'relative',
        zIndex: isDragging ? 5 : undefined,
        opacity: isDragging ? 0.85 : 1,
      }}
    >
      <IconButton
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={texts('reorder.move', { label: item.label })}
        sx={{ cursor: 'grab', touchAction: 'none', color: 'text.secondary' }}
      >
        <GripVertical size={18} aria-hidden />
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>{children}</Box>
    </Box>
  );
}
