# `sh commit.sh FOLDER`: prints the checkout's short commit, with "-dirty" if files that a build reads have changed since. Prints nothing
# for an archive or image, which has no .git of its own; a repository around it is another project's.
cd "$1" && [ -e .git ] || exit 0
# Git fails if there is no commit yet, or if the folder belongs to another user.
commit=$(git rev-parse --short=7 HEAD 2> /dev/null) || exit 0
changed=$(git status --porcelain -- src spec package.json package-lock.json tspconfig.yaml)
echo "$commit${changed:+-dirty}"
