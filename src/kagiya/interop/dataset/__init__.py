"""Games as rows for learners, in Parquet: every decision with its vector, mask, action, reward and return."""

from kagiya.interop.dataset.loading import Dataset
from kagiya.interop.dataset.shards import DatasetError, write_dataset
from kagiya.interop.dataset.sources import FileGames, FreshGames, StoredGames

__all__ = ["Dataset", "DatasetError", "FileGames", "FreshGames", "StoredGames", "write_dataset"]
