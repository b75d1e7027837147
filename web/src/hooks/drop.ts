/** Files and folders dropped on an element, folders walked to their files with relative paths. */
import { type DragEvent, useState } from "react";
import type { Picked } from "~/state/uploadQueue";

async function walk(entry: FileSystemEntry, folder: string): Promise<Picked[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: folder ? `${folder}/${file.name}` : "" }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Picked[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return found;
    for (const child of batch) found.push(...(await walk(child, folder ? `${folder}/${entry.name}` : entry.name)));
  }
}

async function filesOf(transfer: DataTransfer): Promise<Picked[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (!entries.some(Boolean)) return plain.map((file) => ({ file, path: "" }));
  const lists = await Promise.all(entries.filter((entry) => entry !== null).map((entry) => walk(entry, "")));
  return lists.flat();
}

export function useFileDrop(onFiles: (files: Picked[]) => void) {
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    over: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => { if (hasFiles(event)) setDepth((value) => value + 1); },
      onDragLeave: (event: DragEvent) => { if (hasFiles(event)) setDepth((value) => Math.max(0, value - 1)); },
      onDragOver: (event: DragEvent) => { if (hasFiles(event)) event.preventDefault(); },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        void filesOf(event.dataTransfer).then((files) => { if (files.length) onFiles(files); });
      },
    },
  };
}
