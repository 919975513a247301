// The page's files in the browser's storage.

const STORE = "littlego-playground"; // the name of the folder

/** The places of the files: the folder itself for patterns files, and a subfolder for drafts of unsaved texts. */
export const PLACES = ["", ".drafts/"];

/** Return the folder of the files; undefined if the browser refuses storage, as some do in private windows. */
export const openStored = () =>
  navigator.storage
    .getDirectory()
    .then((root) => root.getDirectoryHandle(STORE, { create: true }))
    .catch(() => undefined);

/** Return the stored files as [name, content]. Each name starts with its folder, one of PLACES. */
export async function read(folder) {
  const found = [];
  for (const place of PLACES)
    for await (const [name, handle] of await inside(folder, place))
      if (handle.kind === "file") {
        const file = await handle.getFile();
        found.push([place + name, new Uint8Array(await file.arrayBuffer())]);
      }
  return found;
}

/** Write the contents of files by name; null removes a file. A file is replaced as a whole. */
export async function write(folder, files) {
  for (const [path, data] of Object.entries(files)) {
    const place = PLACES.findLast((one) => path.startsWith(one));
    const [within, name] = [await inside(folder, place), path.slice(place.length)];
    if (data === null) await within.removeEntry(name);
    else {
      const file = await (await within.getFileHandle(name, { create: true })).createWritable();
      await file.write(data);
      await file.close();
    }
  }
}

const inside = (folder, place) => (place ? folder.getDirectoryHandle(place.slice(0, -1), { create: true }) : folder);
