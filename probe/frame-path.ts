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
  const count = parent.length;
  // Without a list of all, as each of thousands of frames asks this.
  for (let index = 0; index < count; index++) if (parent[index] === frame) return index;
  return null;
}
