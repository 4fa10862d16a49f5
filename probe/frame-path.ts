/**
 * The place of this frame in the page: its index among `window.frames` of its parent, and so on upwards. These indices may be
 * read across origins. Null stands for a frame in a shadow tree, which its parent does not list.
 */
export function findFramePath(): (number | null)[] {
  const path: (number | null)[] = [];
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent)
    path.unshift(findFrameIndex(frame, frame.parent));
  return path;
}

export function findFrameIndex(frame: Window, parent: Window): number | null {
  const index = Array.from({ length: parent.length }, (_, position) => parent[position]).indexOf(frame);
  return index === -1 ? null : index;
}
