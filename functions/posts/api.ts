import { api } from '#shared/edge/api.ts'
import { changePost } from './change-post.ts'
import { createPost } from './create-post.ts'
import { deletePost } from './delete-post.ts'
import { getPost } from './get-post.ts'
import { listPosts } from './list-posts.ts'

export const routes = [listPosts, createPost, getPost, changePost, deletePost]
export const handler = api(routes)
